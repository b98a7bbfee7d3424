#pragma once

#include "kernels/launch/single.hh"
#include "support/random_instance.hh"

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

/// The oracle's clock as the program holds it.
inline crx::Clock program_clock(oracle::Clock const& clock)
{
    if (clock.d0 == 1 && clock.d1 == 0 && clock.d2 == 0) return {};
    return {crx::ClockKind::affine, clock.d0, clock.d1, clock.d2};
}

} // namespace crx_test
