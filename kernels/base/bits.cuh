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

/// Position of the set bit that has r set bits below it. Contract: r < count_bits(word).
CRX_HD inline int select_bit(std::uint64_t word, int r)
{
    for (int skipped = 0; skipped < r; ++skipped) word &= word - 1;
    return lowest_bit(word);
}

} // namespace crx
