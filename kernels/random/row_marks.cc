#include "kernels/random/row_marks.hh"

#include "kernels/base/bits.cuh"
#include "kernels/simd/vector_clones.hh"

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#define CRX_ROWS_IN_LANES
#endif

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace crx {
namespace {

/// Halves of eight rows.
using Halves = std::uint32_t __attribute__((vector_size(64)));

/// Bits set in each half, where the processor does not count them in lanes.
struct BySums
{
    Halves operator()(Halves half) const
    {
        half -= half >> 1 & 0x55555555; // of 2, 4, 8, 32 bits
        half = (half & 0x33333333) + (half >> 2 & 0x33333333);
        return ((half + (half >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
    }
};

template <class BitsOf>
[[gnu::always_inline]] inline std::int64_t count(std::uint64_t const* rows, std::int64_t n,
                                                 BitsOf bits_of)
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

template <class BitsOf>
[[gnu::always_inline]] inline void add_up(std::uint64_t const* rows, std::int64_t n,
                                          std::uint64_t* counted, BitsOf bits_of)
{
    Halves const none{}, one{16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
        two{16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
        four{16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
        eight{16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7},
        first{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23}, last = none + 15;
    Halves before{};
    for (std::int64_t r = 0; r < n; r += 8, counted += 16) {
        Halves half;
        std::memcpy(&half, rows + r, sizeof half);
        // Sums of 2, 4, 8, 16 halves that end here: lane 16 and on are those of `none`.
        auto sum = bits_of(half);
        sum += __builtin_shuffle(sum, none, one);
        sum += __builtin_shuffle(sum, none, two);
        sum += __builtin_shuffle(sum, none, four);
        sum += __builtin_shuffle(sum, none, eight);
        sum += before;
        before = __builtin_shuffle(sum, last);
        auto const low = __builtin_shuffle(half, sum, first);
        auto const high = __builtin_shuffle(half, sum, first + 8);
        std::memcpy(counted, &low, sizeof low);
        std::memcpy(counted + 8, &high, sizeof high);
    }
    *counted = std::uint64_t{before[0]} << 32;
}

CRX_VECTOR_CLONES std::int64_t count_by_sums(std::uint64_t const* rows, std::int64_t n)
{
    return count(rows, n, BySums{});
}
CRX_VECTOR_CLONES void add_up_by_sums(std::uint64_t const* rows, std::int64_t n,
                                      std::uint64_t* counted)
{
    add_up(rows, n, counted, BySums{});
}

#ifdef CRX_ROWS_IN_LANES
// Not as an architecture: that would take away what the whole program may be compiled for.
#define CRX_COUNTING target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,bmi,bmi2,popcnt")
struct InLanes
{
    __attribute__((CRX_COUNTING)) Halves operator()(Halves half) const
    {
        return reinterpret_cast<Halves>(_mm512_popcnt_epi32(reinterpret_cast<__m512i>(half)));
    }
};
__attribute__((CRX_COUNTING, flatten)) std::int64_t count_in_lanes(std::uint64_t const* rows,
                                                                   std::int64_t n)
{
    return count(rows, n, InLanes{});
}
__attribute__((CRX_COUNTING, flatten)) void add_up_in_lanes(std::uint64_t const* rows,
                                                            std::int64_t n, std::uint64_t* counted)
{
    add_up(rows, n, counted, InLanes{});
}
#endif

} // namespace

RowMarks const& row_marks(LaneWidth width)
{
    static constexpr RowMarks by_sums{count_by_sums, add_up_by_sums};
#ifdef CRX_ROWS_IN_LANES
    static constexpr RowMarks in_lanes{count_in_lanes, add_up_in_lanes};
    if (width == LaneWidth::counting) return in_lanes;
#endif
    return by_sums;
}

} // namespace crx
