#pragma once

#include <cstdint>

namespace crx {

/// Number of each policy: names its random stream (16 + number), so a number once given is for
/// ever.
enum class PolicyKind : std::uint8_t
{
    mc_sf = 0,
    mc_sf_total = 1,
    mc_benchmark = 2,
    a_random = 3,
    a_max = 4,
    a_min = 5,
    a_min_evict = 6,
    a_ell = 7,
    a_ladder = 8,
    protect = 9,
    clear = 10,
};

} // namespace crx
