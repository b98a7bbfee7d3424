#include "host/sweep/stopping.hh"

#include "analysis/statistics/summary.hh"

#include <algorithm>

namespace crx {

std::int64_t next_checkpoint(StopRule const& stop, std::int64_t reached)
{
    CRX_EXPECT(stop.instances >= 1 && stop.first >= 1 && reached >= 0);
    if (!stop.half_width) return stop.instances;
    std::int64_t checkpoint = std::min(stop.first, stop.instances);
    while (checkpoint < reached && checkpoint < stop.instances)
        checkpoint = checkpoint > stop.instances / 2 ? stop.instances : 2 * checkpoint;
    return checkpoint;
}

bool precise_enough(StopRule const& stop, std::vector<BaselineKind> const& baselines,
                    Tally const& tally)
{
    if (!stop.half_width) return true;
    for (auto const& policy : tally) {
        for (auto const baseline : baselines) {
            auto const mean = summarise(policy, baseline, stop.confidence).mean_of_ratios;
            if (!mean || !mean->half_width || !(*mean->half_width <= *stop.half_width))
                return false;
        }
    }
    return true;
}

} // namespace crx
