#pragma once

#include "kernels/model/clock.cuh"

namespace crx {

/// Whether the total latency of requests that are all there at 0 is 2^62 or more under the unit
/// clock, said before anything is added that could wrap: `total` is the latency of those that are
/// counted by round t, and `left` others complete in round t or later.
///
/// While it is not, left t more can be added to `total`, and so can the tokens that were generated
/// and lost up to t: each of them was a round of somebody's latency. As a rule it costs two
/// comparisons. Contract: total, taken as unsigned, did not wrap; left < 2^32, t >= 0.
CRX_HD inline bool passes_range(Rounds t, std::int64_t total, std::int64_t left)
{
    constexpr auto limit = static_cast<std::uint64_t>(time_limit);
    constexpr Rounds sure = Rounds{1} << 29; // n of them stay below 2^61
    auto const counted = static_cast<std::uint64_t>(total);
    if (t < sure && counted < limit / 2) return false;
    auto const least = static_cast<Unsigned128>(counted) +
                       static_cast<Unsigned128>(t) * static_cast<Unsigned128>(left);
    return least >= static_cast<Unsigned128>(limit);
}

} // namespace crx
