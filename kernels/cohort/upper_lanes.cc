#include "kernels/cohort/upper_lanes.hh"

#include <algorithm>

namespace crx {

#ifdef CRX_INSTANCE_LANES
InstanceLanes* upper_lanes_avx512(WorkloadView const& workload, bool floats);
InstanceLanes* upper_lanes_avx2(WorkloadView const& workload, bool floats);
#endif

std::unique_ptr<InstanceLanes> upper_lanes(WorkloadView const& w, LaneWidth width)
{
    constexpr std::size_t most_classes = 8;
    if (width == LaneWidth::none || width > lane_width() || w.requests == 0 ||
        w.output_value.size() > most_classes)
        return nullptr;
    auto const rounds = most_lane_rounds(w, w.interval.upper, w.interval.upper);
    auto const places = std::min(w.requests, std::int64_t{w.interval.upper} + 1);
    if (!lanes_end_soon(rounds, places) || !lanes_hold(52, w, rounds)) return nullptr;
#ifdef CRX_INSTANCE_LANES
    auto const make = width == LaneWidth::full ? upper_lanes_avx512 : upper_lanes_avx2;
    return std::unique_ptr<InstanceLanes>(make(w, lanes_hold(24, w, rounds)));
#else
    return nullptr;
#endif
}

} // namespace crx
