#include "analysis/baseline/schedule.hh"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crx::baseline {

Rounds total_latency(OwnedInstance const& instance, Starts const& starts)
{
    CRX_EXPECT(starts.size() == instance.output.size());
    Rounds total = 0;
    for (std::size_t i = 0; i < starts.size(); ++i)
        total += starts[i] + instance.output[i] - instance.arrival[i];
    return total;
}

std::optional<std::string> schedule_fault(OwnedInstance const& instance, Starts const& starts)
{
    auto const n = instance.output.size();
    if (starts.size() != n) return fmt::format("{} starts for {} requests", starts.size(), n);
    for (std::size_t i = 0; i < n; ++i)
        if (starts[i] < instance.arrival[i])
            return fmt::format("request {} starts at {}, before it arrives at {}", i, starts[i],
                               instance.arrival[i]);
    std::vector<std::size_t> by_start(n);
    std::iota(by_start.begin(), by_start.end(), std::size_t{0});
    auto by_completion = by_start;
    std::ranges::sort(by_start, {}, [&](std::size_t i) { return starts[i]; });
    auto const completion = [&](std::size_t i) { return starts[i] + instance.output[i]; };
    std::ranges::sort(by_completion, {}, completion);
    // Those active at time t hold the sum of s - start, and t each.
    __int128 offset = 0;
    std::int64_t active = 0;
    auto next = by_start.begin();
    for (auto done = by_completion.begin(), end = done; done != by_completion.end(); done = end) {
        auto const time = completion(*done);
        for (; next != by_start.end() && starts[*next] < time; ++next, ++active)
            offset += static_cast<__int128>(instance.prompt[*next]) - starts[*next];
        auto const held = static_cast<Tokens>(offset + static_cast<__int128>(active) * time);
        if (held > instance.memory)
            return fmt::format("{} tokens are held at time {}, more than M = {}", held, time,
                               instance.memory);
        for (; end != by_completion.end() && completion(*end) == time; ++end, --active)
            offset -= static_cast<__int128>(instance.prompt[*end]) - starts[*end];
    }
    return std::nullopt;
}

} // namespace crx::baseline
