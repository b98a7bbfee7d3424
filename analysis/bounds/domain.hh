#pragma once

#include <fmt/core.h>
#include <stdexcept>

namespace crx::bounds {

/// Above it, products of two such numbers may pass what a double holds.
inline constexpr double largest_to_square = 1e150;

/// Refuses an argument outside a formula's domain with a message that names it and what is
/// accepted. Write `inside` positively (`x > 0 && x <= 1`), so that NaN is refused as well.
inline void require(bool inside, char const* name, double value, char const* accepted)
{
    if (!inside)
        throw std::domain_error(
            fmt::format("{} = {} is not accepted: must be {}", name, value, accepted));
}

} // namespace crx::bounds
