#include "kernels/cohort/learned_lanes.hh"

#include "kernels/cohort/execute_cohort.cuh"
#include "kernels/cohort/learned_wide.hh"

namespace crx {

#ifdef CRX_INSTANCE_LANES
InstanceLanes* learned_lanes_avx512(PolicyKind kind, WorkloadView const& workload,
                                    std::int64_t most_cohorts);
InstanceLanes* learned_lanes_avx2(PolicyKind kind, WorkloadView const& workload,
                                  std::int64_t most_cohorts);
#endif

bool learned_lanes_fit(WorkloadView const& w)
{
    if (w.requests == 0 || w.requests >= std::int64_t{1} << 30 || !has_learned_wide(w))
        return false;
    // TEL is below 2^61, as a time is below 2^31.
    return lanes_end_soon(4 * most_lane_rounds(w, w.interval.upper, w.interval.upper),
                          w.interval.upper);
}

bool learned_lanes_pay(PolicyKind kind, WorkloadView const& w)
{
    constexpr std::size_t most_lengths = 10;
    std::int64_t const upper = w.interval.upper, enough = kind == PolicyKind::a_min ? 4 : 10;
    return w.output_value.size() <= most_lengths && enough * w.memory >= upper * upper;
}

std::unique_ptr<InstanceLanes> learned_lanes(PolicyKind kind, WorkloadView const& w,
                                             LaneWidth width)
{
    if (width == LaneWidth::none || width > lane_width() || !learned_lanes_fit(w)) return nullptr;
#ifdef CRX_INSTANCE_LANES
    auto const make = width >= LaneWidth::full ? learned_lanes_avx512 : learned_lanes_avx2;
    return std::unique_ptr<InstanceLanes>(make(kind, w, most_learning_cohorts(w)));
#else
    return nullptr;
#endif
}

} // namespace crx
