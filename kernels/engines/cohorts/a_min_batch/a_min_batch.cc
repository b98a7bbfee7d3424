#include "kernels/engines/cohorts/a_min_batch/a_min_batch.hh"

#include "kernels/engines/cohorts/execute_cohort.cuh"

namespace crx {

#ifdef CRX_INSTANCE_LANES
InstanceBatch* a_min_batch_avx512(PolicyKind kind, WorkloadView const& workload,
                                  std::int64_t most_cohorts);
InstanceBatch* a_min_batch_avx2(PolicyKind kind, WorkloadView const& workload,
                                std::int64_t most_cohorts);
#endif

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
           (kind == PolicyKind::a_min_evict || 40 * w.memory >= upper * upper);
}

std::unique_ptr<InstanceBatch> a_min_batch(PolicyKind kind, WorkloadView const& w, LaneWidth width)
{
    if (width == LaneWidth::none || width > lane_width() || !a_min_batch_fit(w)) return nullptr;
#ifdef CRX_INSTANCE_LANES
    auto const make = width >= LaneWidth::full ? a_min_batch_avx512 : a_min_batch_avx2;
    return std::unique_ptr<InstanceBatch>(make(kind, w, most_learning_cohorts(w)));
#else
    return nullptr;
#endif
}

} // namespace crx
