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

} // namespace crx
