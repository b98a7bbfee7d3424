#pragma once

#include <cmath>
#include <cstdint>

// Included where code is made for wider vectors too, so nothing here is shared.

namespace crx {
namespace {

/// A float by which whole numbers below most_shared are divided by d without a division: the whole
/// part of n share_of(d) is that of n / d.
///
/// It is the float after the nearest to 1 / d, so it is above 1 / d, by 3/2 of its last place at
/// most. So the product, rounded, is never below n / d where that is whole, and never as much as
/// n 2^-22 / d above it, which is less than what is missing to the next whole number: 1 / d at
/// least. Contract: 1 <= d < 2^24.
inline float share_of(std::int32_t d) { return std::nextafter(1.0f / static_cast<float>(d), 2.0f); }
inline constexpr std::int32_t most_shared = 1 << 22;

} // namespace
} // namespace crx
