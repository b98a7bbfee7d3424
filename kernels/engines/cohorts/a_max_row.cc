#include "kernels/engines/cohorts/batch_row.hh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/max_length.cuh"

#include <algorithm>

namespace crx {

namespace {

LaneNeeds needs_of(WorkloadView const& w)
{
    auto const rounds = most_lane_rounds(w, w.interval.upper, w.interval.upper);
    return {rounds, rounds, std::min(w.requests, std::int64_t{w.interval.upper} + 1)};
}

} // namespace

std::string a_max_batch_refusal(WorkloadView const& w)
{
    if (w.requests == 0) return "there are no requests";
    if (w.output_value.size() > most_a_max_lengths)
        return "there are more than " + std::to_string(most_a_max_lengths) + " output lengths";
    return lanes_refusal(w, needs_of(w));
}

LaneFit a_max_batch_fit(WorkloadView const& w)
{
    return a_max_batch_refusal(w).empty() ? lane_fit(w, needs_of(w)) : LaneFit::none;
}

std::unique_ptr<InstanceBatch> a_max_batch(WorkloadView const& w, SimdLevel level)
{
    auto* const make = CRX_AT_LEVEL(level, make_a_max_batch);
    auto const fit = a_max_batch_fit(w);
    if (make == nullptr || fit == LaneFit::none) return nullptr;
    return std::unique_ptr<InstanceBatch>(make(w, fit == LaneFit::floats));
}

namespace {

/// Why its rows take neither the policy nor the instances, on any processor.
std::string kind_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (spec.kind != MaxLength::kind) return "it runs a-max alone";
    if (auto reason = cohorts_engine.refusal(spec, c); !reason.empty()) return reason;
    return a_max_batch_refusal(c.workload);
}

std::string refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = kind_refusal(spec, c); !reason.empty()) return reason;
    return cohort_batch_refusal(c);
}

std::string gpu_lane_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = kind_refusal(spec, c); !reason.empty()) return reason;
    return gpu_lanes_refusal(needs_of(c.workload));
}

double cost(PolicySpec const& spec, EngineCase const& c) { return cohort_batch_cost(spec, c, 0.3); }

std::unique_ptr<BatchRunner> make(PolicySpec const&, EngineCase const& c)
{
    return cohort_batch_runner(a_max_batch(c.workload, c.simd));
}

} // namespace

constinit Engine const a_max_batch_engine{
    .name = "a-max-batch",
    .summary = "a-max by cohorts for several instances side by side",
    .processor = Processor::cpu,
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .instances = 48,
    .least = 4,
    .own_refusal = refusal,
    .cost = cost,
    .make = make,
};

constinit Engine const gpu_a_max_batch_engine{
    .name = "a-max-batch",
    .summary = "a-max by cohorts, an instance a thread",
    .processor = Processor::gpu,
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .own_refusal = gpu_lane_refusal,
    .cost = cost,
};

} // namespace crx
