#include "analysis/baseline/schedule.hh"

#include <fmt/format.h>

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
    for (std::size_t i = 0; i < n; ++i) {
        auto const time = starts[i] + instance.output[i];
        Tokens held = 0;
        for (std::size_t j = 0; j < n; ++j) {
            auto const age = time - starts[j];
            if (age >= 1 && age <= instance.output[j]) held += instance.prompt[j] + age;
        }
        if (held > instance.memory)
            return fmt::format("{} tokens are held at time {}, more than M = {}", held, time,
                               instance.memory);
    }
    return std::nullopt;
}

} // namespace crx::baseline
