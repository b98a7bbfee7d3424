#include "host/sweep/stopping.hh"

#include "analysis/fluid/heavy_traffic.hh"
#include "analysis/statistics/summary.hh"
#include "host/sweep/certainty.hh"

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
                    Tally const& tally, std::function<Cell()> const& make_cell)
{
    if (!stop.half_width) return true;
    struct Equal
    {
        std::size_t policy;
        BaselineKind baseline;
        RatioSummary ratios;
    };
    std::vector<Equal> equal;
    for (std::size_t p = 0; p < tally.size(); ++p) {
        for (auto const baseline : baselines) {
            auto const ratios = summarise(tally[p], baseline, stop.confidence);
            auto const& mean = ratios.mean_of_ratios;
            if (!mean || !mean->half_width || !(*mean->half_width <= *stop.half_width))
                return false;
            if (ratios.smallest == ratios.largest) equal.push_back({p, baseline, ratios});
        }
    }
    if (equal.empty()) return true;
    auto const cell = make_cell();
    return std::ranges::all_of(equal, [&](Equal const& e) {
        return equal_ratios_suffice(cell, e.policy, e.baseline, *e.ratios.largest, e.ratios.divided,
                                    *stop.half_width, stop.confidence);
    });
}

bool precise_enough(StopRule const& stop, PathSums const& paths)
{
    if (!stop.half_width) return true;
    return std::ranges::all_of(paths, [&](auto const& of_policy) {
        if (of_policy.empty()) return false;
        fluid::Paths tallies;
        for (auto const& path : of_policy) tallies.push_back({path.tallies.back()});
        auto const latency = fluid::horizon_point(tallies, 0, stop.confidence).latency;
        return latency.half_width <= *stop.half_width * latency.mean; // no: where either is NaN
    });
}

} // namespace crx
