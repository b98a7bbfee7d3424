#include "kernels/engines/cohorts/a_max_batch/a_max_batch.hh"

#include <algorithm>

namespace crx {

#ifdef CRX_INSTANCE_LANES
InstanceBatch* a_max_batch_avx512(WorkloadView const& workload, bool floats);
InstanceBatch* a_max_batch_avx2(WorkloadView const& workload, bool floats);
#endif

LaneFit a_max_batch_fit(WorkloadView const& w)
{
    if (w.requests == 0 || w.output_value.size() > most_upper_classes) return LaneFit::none;
    auto const rounds = most_lane_rounds(w, w.interval.upper, w.interval.upper);
    auto const places = std::min(w.requests, std::int64_t{w.interval.upper} + 1);
    if (!lanes_end_soon(rounds, places) || !lanes_hold(51, w, rounds)) return LaneFit::none;
    return lanes_hold(24, w, rounds) ? LaneFit::floats : LaneFit::doubles;
}

std::unique_ptr<InstanceBatch> a_max_batch(WorkloadView const& w, LaneWidth width)
{
    if (width == LaneWidth::none || width > lane_width()) return nullptr;
    auto const fit = a_max_batch_fit(w);
    if (fit == LaneFit::none) return nullptr;
#ifdef CRX_INSTANCE_LANES
    auto const make = width == LaneWidth::full ? a_max_batch_avx512 : a_max_batch_avx2;
    return std::unique_ptr<InstanceBatch>(make(w, fit == LaneFit::floats));
#else
    return nullptr;
#endif
}

} // namespace crx
