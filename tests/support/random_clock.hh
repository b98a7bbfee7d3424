#pragma once

#include <cstdint>
#include <random>

#include "oracle/oracle.hh"
#include "support/random_instance.hh"

namespace crx_test {

/// An affine clock, from one under which all rounds are alike to one that hangs on prompts.
inline oracle::Clock random_clock(std::mt19937_64& rng)
{
    auto const part = [&rng](std::int64_t most) {
        return rng() % 4 == 0 ? 0
                              : static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(most));
    };
    return {1 + part(100), part(3 << 16), part(9 << 16)};
}

/// The instance with its arrivals, which are in rounds, in the clock's time: about as many rounds
/// apart, and seldom on the grid of rounds.
inline void stretch_arrivals(std::mt19937_64& rng, Instance& instance, oracle::Clock const& clock)
{
    std::int64_t const factor = clock.d0 + ((clock.d1 * instance.memory / 2) >> 16);
    for (oracle::Request& r : instance.requests)
        if (r.arrival > 0)
            r.arrival = r.arrival * factor + static_cast<std::int64_t>(rng() % 3) - 1;
    instance.shape += ", affine clock " + std::to_string(clock.d0) + " " +
                      std::to_string(clock.d1) + " " + std::to_string(clock.d2);
}

} // namespace crx_test
