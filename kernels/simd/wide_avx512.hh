#pragma once

// Included by wide_lanes.hh alone: what it says of registers, for AVX-512 (F, BW, DQ, VL).

namespace crx::wide {
namespace {

/// Some of the lanes.
using Mask = __mmask16;
inline constexpr __mmask32 all_of_shorts = ~__mmask32{0};

/// The lanes of part b of a list that hold the first n of it. Contract: 0 <= n, b <= 3.
CRX_WIDE Mask first_of_part(std::uint32_t n, int b)
{
    return static_cast<Mask>(_bzhi_u64(~std::uint64_t{0}, n) >> 16 * b);
}
/// The lanes of part b of a list that hold what does not come before n. Contract: as above.
CRX_WIDE Mask rest_of_part(std::uint32_t n, int b)
{
    return static_cast<Mask>((~std::uint64_t{0} << n) >> 16 * b);
}
/// A bit for each lane of the mask. By hand: where GCC 12 keeps such a number in a mask register,
/// it may put it aside as 16 bits and read 32 back (scripts/check_wide_code looks for that).
CRX_WIDE std::uint32_t bits(Mask mask)
{
    std::uint32_t bits;
    asm("kmovw %1, %0" : "=r"(bits) : "k"(mask));
    return bits;
}
CRX_WIDE bool any(Mask mask) { return mask != 0; }

CRX_WIDE __m512i raw(Ints const& a) { return reinterpret_cast<__m512i>(a); }
CRX_WIDE Ints ints(__m512i const& a) { return reinterpret_cast<Ints>(a); }

CRX_WIDE Floats all(float x) { return _mm512_set1_ps(x); }
CRX_WIDE Ints all(std::int32_t x) { return ints(_mm512_set1_epi32(x)); }
/// 0, 1, 2 ..
CRX_WIDE Ints from_zero()
{
    return ints(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
}

/// Contract: the address is a multiple of a register's size.
CRX_WIDE Ints load(std::int32_t const* from) { return ints(_mm512_load_si512(from)); }
CRX_WIDE void store(std::int32_t* to, Ints const& a) { _mm512_store_si512(to, raw(a)); }
/// Halves of words, the low one first, from so many halves before these words on.
CRX_WIDE Ints load_halves(std::uint64_t const* words, std::uint32_t before)
{
    return ints(_mm512_loadu_si512(reinterpret_cast<char const*>(words) - 4 * std::size_t{before}));
}
CRX_WIDE void store(std::uint32_t* to, Ints const& a) { _mm512_storeu_si512(to, raw(a)); }

/// a in the lanes of the mask, elsewhere 0.
CRX_WIDE Ints only(Mask mask, Ints const& a) { return ints(_mm512_maskz_mov_epi32(mask, raw(a))); }
CRX_WIDE std::int32_t sum(Ints const& a) { return _mm512_reduce_add_epi32(raw(a)); }
/// Each lane and those before it.
CRX_WIDE Ints running_sum(Ints const& a)
{
    auto const zero = _mm512_setzero_si512();
    auto sum = raw(a);
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 15));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 14));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 12));
    return ints(_mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 8)));
}
CRX_WIDE std::int32_t front(Ints const& a) { return _mm512_cvtsi512_si32(raw(a)); }
/// Each lane has what the one after it has, the last what the next register begins with.
CRX_WIDE Ints next_lane(Ints const& a, Ints const& next)
{
    return ints(_mm512_alignr_epi32(raw(next), raw(a), 1));
}
/// Each lane has what the one before it has, the first what the previous register ends with.
CRX_WIDE Ints previous_lane(Ints const& previous, Ints const& a)
{
    return ints(_mm512_alignr_epi32(raw(a), raw(previous), 15));
}
/// The last lane in all of them.
CRX_WIDE Ints last(Ints const& a)
{
    return ints(_mm512_permutexvar_epi32(_mm512_set1_epi32(15), raw(a)));
}
CRX_WIDE Mask greater(Ints const& a, Ints const& b)
{
    return _mm512_cmpgt_epi32_mask(raw(a), raw(b));
}
CRX_WIDE Mask not_zero(Ints const& a) { return _mm512_test_epi32_mask(raw(a), raw(a)); }
CRX_WIDE Ints one_less(Mask mask, Ints const& a)
{
    return ints(_mm512_mask_sub_epi32(raw(a), mask, raw(a), _mm512_set1_epi32(1)));
}
/// Two numbers of 16 bits where one was, and each of them again, from 0 on.
CRX_WIDE Shorts pair(Ints const& a, Ints const& b)
{
    return reinterpret_cast<Shorts>((a & 0xffff) | b << 16);
}
CRX_WIDE Ints first_of_pair(Shorts const& a) { return reinterpret_cast<Ints>(a) & 0xffff; }
CRX_WIDE Ints second_of_pair(Shorts const& a)
{
    return ints(_mm512_srli_epi32(reinterpret_cast<__m512i>(a), 16));
}
/// One less where a > b. By two comparisons that wait for nothing but a, as a mask takes longer.
CRX_WIDE Shorts one_less_if_greater(Shorts const& a, Shorts const& b)
{
    auto const least = _mm512_maskz_min_epi16(all_of_shorts, reinterpret_cast<__m512i>(a),
                                              reinterpret_cast<__m512i>(b));
    return reinterpret_cast<Shorts>(
        _mm512_maskz_max_epi16(all_of_shorts, reinterpret_cast<__m512i>(a - 1), least));
}
/// In how many lanes a > b.
CRX_WIDE int count_greater(Shorts const& a, Shorts const& b)
{
    return __builtin_popcount(
        _mm512_cmpgt_epi16_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}
/// The products of both of each pair, added up.
CRX_WIDE Ints sum_of_products(Shorts const& a, Shorts const& b)
{
    return ints(_mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}
/// Lanes of both masks, and of a alone.
CRX_WIDE Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
CRX_WIDE Mask without(Mask a, Mask b) { return static_cast<Mask>(a & ~b); }
CRX_WIDE Mask of_bits(std::uint32_t bits) { return static_cast<Mask>(bits); }
CRX_WIDE Ints smaller(Ints const& a, Ints const& b)
{
    return ints(_mm512_maskz_min_epi32(0xffff, raw(a), raw(b)));
}
CRX_WIDE Ints larger(Ints const& a, Ints const& b)
{
    return ints(_mm512_maskz_max_epi32(0xffff, raw(a), raw(b)));
}
/// a in the lanes of the mask, elsewhere b.
CRX_WIDE Ints pick(Mask mask, Ints const& a, Ints const& b)
{
    return ints(_mm512_mask_mov_epi32(raw(b), mask, raw(a)));
}
/// Whole numbers as floats, and the whole part of floats; what either cannot hold is undefined.
CRX_WIDE Floats to_floats(Ints const& a) { return _mm512_maskz_cvtepi32_ps(0xffff, raw(a)); }
CRX_WIDE Ints to_ints(Floats const& a) { return ints(_mm512_maskz_cvttps_epi32(0xffff, a)); }
CRX_WIDE Floats rounded_up(Floats const& a)
{
    return _mm512_maskz_roundscale_ps(0xffff, a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
/// Adds to the numbers of a table: in each lane of the mask to row[lane] of its column. Rows lie
/// `apart` registers apart.
template <int apart>
CRX_WIDE void add_to_rows(Mask mask, Ints* table, Ints const& row, Ints const& a)
{
    auto const at = _mm512_add_epi32(_mm512_mullo_epi32(raw(row), _mm512_set1_epi32(16 * apart)),
                                     raw(from_zero()));
    auto const before = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask, at, table, 4);
    _mm512_mask_i32scatter_epi32(table, mask, at, _mm512_add_epi32(before, raw(a)), 4);
}
/// x in the lane of this bit, elsewhere a.
CRX_WIDE Ints put(Ints const& a, std::uint32_t lane, std::int32_t x)
{
    return ints(_mm512_mask_set1_epi32(raw(a), static_cast<Mask>(lane), x));
}
/// Of numbers without a sign.
CRX_WIDE Mask at_least(Ints const& a, Ints const& b)
{
    return _mm512_cmpge_epu32_mask(raw(a), raw(b));
}
/// Both halves of the products of numbers without a sign.
CRX_WIDE void multiply(Ints const& a, Ints const& b, Ints& high, Ints& low)
{
    constexpr Mask odd = 0xaaaa;
    auto const even_product = _mm512_mul_epu32(raw(a), raw(b));
    auto const odd_product =
        _mm512_mul_epu32(_mm512_srli_epi64(raw(a), 32), _mm512_srli_epi64(raw(b), 32));
    high = ints(_mm512_mask_blend_epi32(odd, _mm512_srli_epi64(even_product, 32), odd_product));
    low = ints(_mm512_mask_blend_epi32(odd, even_product, _mm512_slli_epi64(odd_product, 32)));
}

} // namespace
} // namespace crx::wide
