#include "analysis/baseline/idle_gaps.hh"

#include <algorithm>
#include <numeric>

namespace crx::baseline {

WithoutIdleGaps::WithoutIdleGaps(OwnedInstance const& instance) : shortened_(instance)
{
    CRX_EXPECT(!instance.output.empty());
    std::vector<std::size_t> order(instance.output.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return instance.arrival[i]; });
    Rounds left_out = 0;
    Rounds work = 0;    // sum of o since the last gap
    Rounds longest = 0; // o so far: a gap no shorter keeps what is active across it within memory
    Rounds last = 0;    // arrival before this one; round 0 before the first
    for (auto const i : order) {
        auto const arrival = instance.arrival[i];
        auto const spare = arrival - last - work;
        if (spare > 0 && (longest == 0 || spare >= std::max(longest, least_gap))) {
            left_out += spare;
            gaps_.push_back({arrival - left_out, left_out});
            work = 0;
        }
        shortened_.arrival[i] = arrival - left_out;
        work += instance.output[i];
        longest = std::max<Rounds>(longest, instance.output[i]);
        last = arrival;
    }
}

Rounds WithoutIdleGaps::original(Rounds round) const
{
    auto const behind = std::ranges::upper_bound(gaps_, round, {}, &Gap::behind);
    return behind == gaps_.begin() ? round : round + std::prev(behind)->left_out;
}

Starts WithoutIdleGaps::original(Starts starts) const
{
    for (auto& start : starts) start = original(start);
    return starts;
}

} // namespace crx::baseline
