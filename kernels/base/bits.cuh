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
    // The byte by running counts of all bytes, then by halves (Knuth, TAOCP 4A, section 7.1.3):
    // nothing is decided by a branch that could not be foreseen.
    constexpr std::uint64_t ones = 0x0101010101010101;
    auto sums = word - (word >> 1 & 0x5555555555555555);
    sums = (sums & 0x3333333333333333) + (sums >> 2 & 0x3333333333333333);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f) * ones;
    auto const byte =
        8 * count_bits(((ones * static_cast<std::uint64_t>(r) | ones << 7) - sums) & ones << 7);
    r -= static_cast<int>(sums << 8 >> byte & 0xff);
    auto bits = static_cast<std::uint32_t>(word >> byte & 0xff);
    int at = byte;
    for (int half = 4; half >= 1; half /= 2) {
        auto const below = count_bits(bits & ((1u << half) - 1));
        bool const above = r >= below;
        bits >>= above ? half : 0;
        at += above ? half : 0;
        r -= above ? below : 0;
    }
    return at;
}

} // namespace crx
