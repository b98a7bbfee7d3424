#include "kernels/engines/cohorts/batch_row.hh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>

namespace crx {

bool runs_fixed_lengths(PolicyKind kind)
{
    return kind == PromoteLower::kind ||
           policy_info(kind).cohort_form == CohortForm::shortest_first;
}

namespace {

/// All requests do under mc-sf, under a-ell those with outputs l and u alone.
bool ends_at_working_lengths(PolicySpec const& spec, WorkloadView const& w)
{
    if (spec.kind != PromoteLower::kind) return true;
    return w.interval.kind == IntervalKind::common &&
           std::ranges::all_of(w.output_value, [&](auto value) {
               return value == w.interval.lower || value == w.interval.upper;
           });
}

LaneNeeds needs_of(PolicySpec const& spec, WorkloadView const& w)
{
    bool const hidden = spec.kind == PromoteLower::kind;
    auto const longest = std::int64_t{hidden ? w.interval.upper : w.output_value.back()};
    auto const rounds = most_lane_rounds(w, longest, hidden ? longest + w.interval.lower : longest);
    return {rounds, rounds + static_cast<double>(w.output_value.size()),
            fixed_length_batch_steps(w, longest)};
}

} // namespace

std::string fixed_length_batch_refusal(PolicySpec const& spec, WorkloadView const& w)
{
    if (!runs_fixed_lengths(spec.kind))
        return "it runs a-ell and policies that serve shorter requests first";
    if (w.requests == 0 || w.output_value.empty()) return "there are no requests";
    if (!ends_at_working_lengths(spec, w)) return "outputs other than l and u under a-ell";
    return lanes_refusal(w, needs_of(spec, w));
}

LaneFit fixed_length_batch_fit(PolicySpec const& spec, WorkloadView const& w)
{
    return fixed_length_batch_refusal(spec, w).empty() ? lane_fit(w, needs_of(spec, w))
                                                       : LaneFit::none;
}

std::unique_ptr<InstanceBatch> fixed_length_batch(PolicySpec const& spec, WorkloadView const& w,
                                                  SimdLevel level)
{
    auto* const make = CRX_AT_LEVEL(level, make_fixed_length_batch);
    auto const fit = fixed_length_batch_fit(spec, w);
    if (make == nullptr || fit == LaneFit::none) return nullptr;
    bool const hidden = spec.kind == PromoteLower::kind;
    return std::unique_ptr<InstanceBatch>(make(w, hidden, fit == LaneFit::floats));
}

namespace {

/// Why its rows take neither the policy nor the instances, on any processor.
std::string kind_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = cohorts_engine.refusal(spec, c);
        !reason.empty() && runs_fixed_lengths(spec.kind))
        return reason;
    return fixed_length_batch_refusal(spec, c.workload);
}

std::string refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = kind_refusal(spec, c); !reason.empty()) return reason;
    return cohort_batch_refusal(c);
}

std::string gpu_lane_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = kind_refusal(spec, c); !reason.empty()) return reason;
    return gpu_lanes_refusal(needs_of(spec, c.workload));
}

double cost(PolicySpec const& spec, EngineCase const& c) { return cohort_batch_cost(spec, c, 0.2); }

std::unique_ptr<BatchRunner> make(PolicySpec const& spec, EngineCase const& c)
{
    return cohort_batch_runner(fixed_length_batch(spec, c.workload, c.simd));
}

} // namespace

constinit Engine const fixed_length_batch_engine{
    .name = "fixed-length-batch",
    .summary = "mc-sf, and a-ell on outputs l and u, by cohorts for several instances side by side",
    .processor = Processor::cpu,
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .instances = 16,
    .least = 4,
    .own_refusal = refusal,
    .cost = cost,
    .make = make,
};

constinit Engine const gpu_fixed_length_batch_engine{
    .name = "fixed-length-batch",
    .summary = "mc-sf, and a-ell on outputs l and u, by cohorts, an instance a thread",
    .processor = Processor::gpu,
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .own_refusal = gpu_lane_refusal,
    .cost = cost,
};

} // namespace crx
