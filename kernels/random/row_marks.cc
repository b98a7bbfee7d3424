#include "kernels/random/counted_rows.hh"

#include "kernels/base/bits.cuh"
#include "kernels/simd/vector_clones.hh"

#include <cstring>

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace crx {
namespace {

/// Halves of eight rows.
using Halves = std::uint32_t __attribute__((vector_size(64)));

/// Bits set in each half: sums of 2, 4, 8 and 32 bits.
[[gnu::always_inline]] inline Halves bits_of(Halves half)
{
    half -= half >> 1 & 0x55555555;
    half = (half & 0x33333333) + (half >> 2 & 0x33333333);
    return ((half + (half >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

} // namespace

CRX_VECTOR_CLONES std::int64_t count_rows(std::uint64_t const* rows, std::int64_t n)
{
    std::int64_t set = 0, r = 0;
    Halves sums{};
    for (; r + 8 <= n; r += 8) {
        Halves half;
        std::memcpy(&half, rows + r, sizeof half);
        sums += bits_of(half);
    }
    for (int k = 0; k < 16; ++k) set += sums[k];
    for (; r < n; ++r) set += count_bits(rows[r]);
    return set;
}

CRX_VECTOR_CLONES void add_up_rows(std::uint64_t const* rows, std::int64_t n,
                                   std::uint64_t* counted)
{
    Halves const none{};
    Halves before{};
    for (std::int64_t r = 0; r < n; r += 8, counted += 16) {
        Halves half;
        std::memcpy(&half, rows + r, sizeof half);
        // Sums of 2, 4, 8, 16 halves that end here: lane 16 and on are those of `none`.
        auto sum = bits_of(half);
        sum += __builtin_shufflevector(sum, none, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                       14);
        sum += __builtin_shufflevector(sum, none, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
                                       13);
        sum += __builtin_shufflevector(sum, none, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                       11);
        sum += __builtin_shufflevector(sum, none, 16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5,
                                       6, 7);
        sum += before;
        before = none + sum[15];
        auto const low = __builtin_shufflevector(half, sum, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5,
                                                 21, 6, 22, 7, 23);
        auto const high = __builtin_shufflevector(half, sum, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                                  13, 29, 14, 30, 15, 31);
        std::memcpy(counted, &low, sizeof low);
        std::memcpy(counted + 8, &high, sizeof high);
    }
    *counted = std::uint64_t{before[0]} << 32;
}

} // namespace crx
