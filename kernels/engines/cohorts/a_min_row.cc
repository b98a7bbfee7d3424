#include "kernels/engines/cohorts/batch_row.hh"
#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/min_length.cuh"

namespace crx {

bool a_min_batch_fit(WorkloadView const& w)
{
    if (w.requests == 0 || w.requests >= std::int64_t{1} << 30) return false;
    // Floats hold every number of memory; what is kept of each round stays small.
    if (w.memory >= Tokens{1} << 24 || w.interval.upper > 512) return false;
    // TEL is below 2^61, as a time is below 2^31.
    return lanes_end_soon(4 * most_lane_rounds(w, w.interval.upper, w.interval.upper),
                          w.interval.upper);
}

bool a_min_batch_pays(PolicyKind kind, WorkloadView const& w)
{
    std::int64_t const upper = w.interval.upper;
    return w.memory >= 2 * upper &&
           (kind == MinLengthEvict::kind || 40 * w.memory >= upper * upper);
}

std::unique_ptr<InstanceBatch> a_min_batch(PolicyKind kind, WorkloadView const& w, SimdLevel level)
{
    auto* const make = CRX_AT_LEVEL(level, make_a_min_batch);
    if (make == nullptr || !a_min_batch_fit(w)) return nullptr;
    return std::unique_ptr<InstanceBatch>(make(kind, w, most_learning_cohorts(w)));
}

namespace {

std::string refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (spec.kind != MinLength::kind && spec.kind != MinLengthEvict::kind)
        return "it runs a-min and a-min-evict alone";
    if (spec.learns != Learns::reached) return learns_exceeded_refusal;
    if (auto reason = cohorts_engine.refusal(spec, c); !reason.empty()) return reason;
    if (auto reason = cohort_batch_refusal(c); !reason.empty()) return reason;
    if (!a_min_batch_fit(c.workload))
        return "it takes memory below 2^24, u up to 512, below 2^30 requests, and instances that "
               "end within a second";
    return {};
}

double cost(PolicySpec const& spec, EngineCase const& c)
{
    return cohort_batch_cost(spec, c, a_min_batch_pays(spec.kind, c.workload) ? 0.4 : 2);
}

std::unique_ptr<BatchRunner> make(PolicySpec const& spec, EngineCase const& c)
{
    return cohort_batch_runner(a_min_batch(spec.kind, c.workload, c.simd));
}

} // namespace

constinit Engine const a_min_batch_engine{
    .name = "a-min-batch",
    .summary = "a-min and a-min-evict by cohorts for several instances side by side",
    .processor = Processor::cpu,
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .instances = 16,
    .least = 4,
    .own_refusal = refusal,
    .cost = cost,
    .make = make,
};

} // namespace crx
