#pragma once

#include "kernels/base/uint192.cuh"

namespace crx {

/// A ratio in fixed point: 32 fractional bits, rounded to nearest, ties up.
using FixedRatio = std::int64_t;
inline constexpr int ratio_fraction_bits = 32;

/// numerator / denominator in fixed point.
///
/// Contract: numerator >= 0, denominator >= 1, quotient < 2^31. Error: at most 2^-33.
CRX_HD inline FixedRatio fixed_ratio(std::int64_t numerator, std::int64_t denominator)
{
    CRX_EXPECT(numerator >= 0 && denominator >= 1);
    // Most latencies leave room in 64 bits, where a division is several times cheaper.
    if (numerator >> (63 - ratio_fraction_bits) == 0) {
        auto const scaled = static_cast<std::uint64_t>(numerator) << (ratio_fraction_bits + 1);
        auto const quotient = scaled / static_cast<std::uint64_t>(denominator);
        return static_cast<FixedRatio>((quotient >> 1) + (quotient & 1));
    }
    auto const divisor = static_cast<Unsigned128>(denominator);
    auto const scaled = static_cast<Unsigned128>(numerator) << (ratio_fraction_bits + 1);
    auto const quotient = (scaled / divisor + 1) >> 1;
    CRX_ENSURE((quotient >> 63) == 0);
    return static_cast<FixedRatio>(quotient);
}

inline constexpr double to_double(FixedRatio ratio) { return static_cast<double>(ratio) * 0x1p-32; }

/// Histogram bins are logarithmic by construction: the leading bit and the ten bits after it, so a
/// bin is at most 1/1024 of its value wide and a quantile read from it is that exact.
inline constexpr int histogram_mantissa_bits = 10;

/// Bin of a ratio. Ratios below 2^-22 share the lowest bins exactly (one value a bin).
CRX_HD inline std::uint32_t histogram_bin(FixedRatio ratio)
{
    CRX_EXPECT(ratio >= 0);
    auto value = static_cast<std::uint64_t>(ratio);
    int exponent = 0;
    while (value >> (histogram_mantissa_bits + 1) != 0) {
        value >>= 1;
        ++exponent;
    }
    return static_cast<std::uint32_t>((exponent << histogram_mantissa_bits) +
                                      static_cast<int>(value));
}

/// Smallest ratio of a bin: the inverse of histogram_bin.
CRX_HD inline FixedRatio histogram_bin_start(std::uint32_t bin)
{
    std::uint32_t const one = 1u << histogram_mantissa_bits;
    if (bin < 2 * one) return static_cast<FixedRatio>(bin);
    std::uint32_t const exponent = bin / one - 1;
    return static_cast<FixedRatio>(std::uint64_t{bin - exponent * one} << exponent);
}

} // namespace crx
