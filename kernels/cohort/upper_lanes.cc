#include "kernels/cohort/upper_lanes.hh"

#include <algorithm>

namespace crx {

#ifdef CRX_INSTANCE_LANES
InstanceLanes* upper_lanes_counting(WorkloadView const& workload, bool floats);
InstanceLanes* upper_lanes_avx512(WorkloadView const& workload, bool floats);
InstanceLanes* upper_lanes_avx2(WorkloadView const& workload, bool floats);
#endif

LaneFit upper_lanes_fit(WorkloadView const& w)
{
    if (w.requests == 0 || w.output_value.size() > most_upper_classes) return LaneFit::none;
    auto const rounds = most_lane_rounds(w, w.interval.upper, w.interval.upper);
    auto const places = std::min(w.requests, std::int64_t{w.interval.upper} + 1);
    if (!lanes_end_soon(rounds, places) || !lanes_hold(51, w, rounds)) return LaneFit::none;
    return lanes_hold(24, w, rounds) ? LaneFit::floats : LaneFit::doubles;
}

std::unique_ptr<InstanceLanes> upper_lanes(WorkloadView const& w, LaneWidth width)
{
    if (width == LaneWidth::none || width > lane_width()) return nullptr;
    auto const fit = upper_lanes_fit(w);
    if (fit == LaneFit::none) return nullptr;
#ifdef CRX_INSTANCE_LANES
    auto const make = width == LaneWidth::counting ? upper_lanes_counting
                      : width == LaneWidth::full   ? upper_lanes_avx512
                                                   : upper_lanes_avx2;
    return std::unique_ptr<InstanceLanes>(make(w, fit == LaneFit::floats));
#else
    return nullptr;
#endif
}

} // namespace crx
