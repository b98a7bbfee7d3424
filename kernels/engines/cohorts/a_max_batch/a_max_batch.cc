#include "kernels/engines/cohorts/a_max_batch/a_max_batch.hh"

#include <algorithm>

namespace crx {

LaneFit a_max_batch_fit(WorkloadView const& w)
{
    if (w.requests == 0 || w.output_value.size() > most_a_max_lengths) return LaneFit::none;
    auto const rounds = most_lane_rounds(w, w.interval.upper, w.interval.upper);
    auto const places = std::min(w.requests, std::int64_t{w.interval.upper} + 1);
    if (!lanes_end_soon(rounds, places) || !lanes_hold(51, w, rounds)) return LaneFit::none;
    return lanes_hold(24, w, rounds) ? LaneFit::floats : LaneFit::doubles;
}

std::unique_ptr<InstanceBatch> a_max_batch(WorkloadView const& w, SimdLevel level)
{
    auto* const make = CRX_AT_LEVEL(level, make_a_max_batch);
    auto const fit = a_max_batch_fit(w);
    if (make == nullptr || level > simd_level() || fit == LaneFit::none) return nullptr;
    return std::unique_ptr<InstanceBatch>(make(w, fit == LaneFit::floats));
}

} // namespace crx
