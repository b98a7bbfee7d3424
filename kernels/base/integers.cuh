#pragma once

#include "kernels/base/host_device.cuh"

#include <bit>

namespace crx {

/// Number of set bits.
CRX_HD inline int count_bits(std::uint64_t word)
{
#ifdef __CUDA_ARCH__
    return __popcll(word);
#else
    return std::popcount(word);
#endif
}

/// Position of the lowest set bit. Contract: word != 0.
CRX_HD inline int lowest_bit(std::uint64_t word)
{
#ifdef __CUDA_ARCH__
    return __ffsll(static_cast<long long>(word)) - 1;
#else
    return std::countr_zero(word);
#endif
}

/// Binary digits of the word; 0 for 0.
CRX_HD inline int bit_length(std::uint64_t word)
{
#ifdef __CUDA_ARCH__
    return 64 - __clzll(static_cast<long long>(word));
#else
    return static_cast<int>(std::bit_width(word));
#endif
}

/// Position of the set bit that has r set bits below it. Contract: r < count_bits(word).
CRX_HD inline int select_bit(std::uint64_t word, int r)
{
    // The byte by running counts of all bytes (Knuth, TAOCP 4A, section 7.1.3), then by those of
    // its halves and quarters: nothing is decided by a branch that could not be foreseen.
    constexpr std::uint64_t ones = 0x0101010101010101;
    auto const of_two = word - (word >> 1 & 0x5555555555555555);
    auto const of_four = (of_two & 0x3333333333333333) + (of_two >> 2 & 0x3333333333333333);
    auto const sums = ((of_four + (of_four >> 4)) & 0x0f0f0f0f0f0f0f0f) * ones;
    auto const passed = ((ones * static_cast<std::uint64_t>(r) | ones << 7) - sums) >> 7 & ones;
    auto at = static_cast<int>(passed * ones >> 56) * 8;
    r -= static_cast<int>(sums << 8 >> at & 0xff);
    auto const step = [&](std::uint64_t counts, unsigned mask, int half) {
        auto const below = static_cast<int>(counts >> at & mask);
        bool const above = r >= below;
        at += above ? half : 0;
        r -= above ? below : 0;
    };
    step(of_four, 15, 4);
    step(of_two, 3, 2);
    step(word, 1, 1);
    return at;
}

using Unsigned128 = unsigned __int128;

/// Unsigned 192-bit sum: holds 2^64 products of two 64-bit numbers, so a sum of squares over any
/// number of instances is exact and does not depend on the order of addition.
struct Unsigned192
{
    std::uint64_t low = 0, middle = 0, high = 0;

    CRX_HD void add(Unsigned128 term)
    {
        Unsigned128 const below = (Unsigned128{middle} << 64) | low;
        Unsigned128 const sum = below + term;
        high += sum < below ? 1 : 0;
        low = static_cast<std::uint64_t>(sum);
        middle = static_cast<std::uint64_t>(sum >> 64);
    }
    CRX_HD void add(Unsigned192 const& term)
    {
        add((Unsigned128{term.middle} << 64) | term.low);
        high += term.high;
    }
    CRX_HD bool operator==(Unsigned192 const& other) const
    {
        return low == other.low && middle == other.middle && high == other.high;
    }
    /// Nearest double, for statistics.
    double to_double() const
    {
        return (static_cast<double>(high) * 0x1p64 + static_cast<double>(middle)) * 0x1p64 +
               static_cast<double>(low);
    }
};

} // namespace crx
