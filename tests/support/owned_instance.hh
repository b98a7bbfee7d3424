#pragma once

#include "kernels/cpu/single.hh"
#include "support/random_instance.hh"

#include <utility>
#include <vector>

namespace crx_test {

/// An instance as the program holds it.
inline crx::OwnedInstance owned(Instance const& from)
{
    crx::OwnedInstance instance;
    instance.memory = from.memory;
    instance.resize(from.requests.size());
    for (std::size_t i = 0; i < from.requests.size(); ++i) {
        auto const& r = from.requests[i];
        instance.arrival[i] = r.arrival;
        instance.prompt[i] = static_cast<std::int32_t>(r.prompt);
        instance.output[i] = static_cast<std::int32_t>(r.output);
        instance.lower[i] = static_cast<std::int32_t>(r.lower);
        instance.upper[i] = static_cast<std::int32_t>(r.upper);
    }
    return instance;
}

/// Requests (prompt, output) at 0 whose outputs are known.
inline crx::OwnedInstance known_at_0(crx::Tokens memory,
                                     std::vector<std::pair<int, int>> const& requests)
{
    crx::OwnedInstance instance;
    instance.memory = memory;
    for (auto const& [s, o] : requests) {
        instance.prompt.push_back(s);
        instance.output.push_back(o);
        instance.arrival.push_back(0);
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

/// The oracle's clock as the program holds it.
inline crx::Clock program_clock(oracle::Clock const& clock)
{
    if (clock.d0 == 1 && clock.d1 == 0 && clock.d2 == 0 && clock.d3 == 0) return {};
    return {crx::ClockKind::affine, clock.d0, clock.d1, clock.d2, clock.d3};
}

} // namespace crx_test
