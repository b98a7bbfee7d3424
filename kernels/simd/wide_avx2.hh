#pragma once

// Included by wide_lanes.hh alone: what wide_avx512.hh says, for AVX2 with FMA.

namespace crx::wide {
namespace {

using Mask = Ints; ///< -1 or 0

CRX_WIDE __m256i raw(Ints const& a) { return reinterpret_cast<__m256i>(a); }
CRX_WIDE Ints ints(__m256i const& a) { return reinterpret_cast<Ints>(a); }
CRX_WIDE __m256 as_floats(Mask const& mask) { return reinterpret_cast<__m256>(mask); }

CRX_WIDE Floats all(float x) { return _mm256_set1_ps(x); }
CRX_WIDE Ints all(std::int32_t x) { return ints(_mm256_set1_epi32(x)); }
CRX_WIDE Ints from_zero() { return ints(_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)); }

CRX_WIDE Mask first_of_part(std::uint32_t n, int b)
{
    return all(static_cast<std::int32_t>(n) - lanes * b) > from_zero();
}
CRX_WIDE Mask rest_of_part(std::uint32_t n, int b)
{
    return from_zero() > all(static_cast<std::int32_t>(n) - 1 - lanes * b);
}
CRX_WIDE std::uint32_t bits(Mask const& mask)
{
    return static_cast<std::uint32_t>(_mm256_movemask_ps(as_floats(mask)));
}
CRX_WIDE bool any(Mask const& mask) { return bits(mask) != 0; }

CRX_WIDE Ints load(std::int32_t const* from)
{
    return ints(_mm256_load_si256(reinterpret_cast<__m256i const*>(from)));
}
CRX_WIDE void store(std::int32_t* to, Ints const& a)
{
    _mm256_store_si256(reinterpret_cast<__m256i*>(to), raw(a));
}
CRX_WIDE Ints load_halves(std::uint64_t const* words, std::uint32_t before)
{
    auto const* const from = reinterpret_cast<char const*>(words) - 4 * std::size_t{before};
    return ints(_mm256_loadu_si256(reinterpret_cast<__m256i_u const*>(from)));
}
CRX_WIDE void store(std::uint32_t* to, Ints const& a)
{
    _mm256_storeu_si256(reinterpret_cast<__m256i_u*>(to), raw(a));
}

CRX_WIDE Ints only(Mask const& mask, Ints const& a) { return a & mask; }
CRX_WIDE std::int32_t sum(Ints const& a)
{
    auto all = _mm_add_epi32(_mm256_castsi256_si128(raw(a)), _mm256_extracti128_si256(raw(a), 1));
    all = _mm_add_epi32(all, _mm_shuffle_epi32(all, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(all, _mm_shuffle_epi32(all, 0xb1)));
}
CRX_WIDE Ints running_sum(Ints const& a)
{
    auto sum = raw(a); // of each half, then the lower half's total is added to the upper
    sum = _mm256_add_epi32(sum, _mm256_slli_si256(sum, 4));
    sum = _mm256_add_epi32(sum, _mm256_slli_si256(sum, 8));
    auto const low = _mm256_permute2x128_si256(sum, sum, 0x08); // zero, then the lower half
    return ints(_mm256_add_epi32(sum, _mm256_shuffle_epi32(low, 0xff)));
}
CRX_WIDE std::int32_t front(Ints const& a) { return _mm256_cvtsi256_si32(raw(a)); }
CRX_WIDE Ints next_lane(Ints const& a, Ints const& next)
{
    auto const middle = _mm256_permute2x128_si256(raw(a), raw(next), 0x21); // upper, lower half
    return ints(_mm256_alignr_epi8(middle, raw(a), 4));
}
CRX_WIDE Ints previous_lane(Ints const& previous, Ints const& a)
{
    auto const middle = _mm256_permute2x128_si256(raw(previous), raw(a), 0x21);
    return ints(_mm256_alignr_epi8(raw(a), middle, 12));
}
CRX_WIDE Ints last(Ints const& a)
{
    return ints(_mm256_permutevar8x32_epi32(raw(a), _mm256_set1_epi32(7)));
}
CRX_WIDE Mask greater(Ints const& a, Ints const& b) { return a > b; }
CRX_WIDE Mask not_zero(Ints const& a) { return a != 0; }
CRX_WIDE Ints one_less(Mask const& mask, Ints const& a) { return a + mask; }
CRX_WIDE Shorts pair(Ints const& a, Ints const& b)
{
    return reinterpret_cast<Shorts>((a & 0xffff) | b << 16);
}
CRX_WIDE Ints first_of_pair(Shorts const& a) { return reinterpret_cast<Ints>(a) & 0xffff; }
CRX_WIDE Ints second_of_pair(Shorts const& a)
{
    return ints(_mm256_srli_epi32(reinterpret_cast<__m256i>(a), 16));
}
CRX_WIDE Shorts one_less_if_greater(Shorts const& a, Shorts const& b) { return a + (a > b); }
CRX_WIDE int count_greater(Shorts const& a, Shorts const& b)
{
    auto const bytes = _mm256_movemask_epi8(reinterpret_cast<__m256i>(a > b));
    return __builtin_popcount(static_cast<unsigned>(bytes)) / 2;
}
CRX_WIDE Ints sum_of_products(Shorts const& a, Shorts const& b)
{
    return ints(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
CRX_WIDE Mask both(Mask const& a, Mask const& b) { return a & b; }
CRX_WIDE Mask without(Mask const& a, Mask const& b) { return a & ~b; }
CRX_WIDE Mask of_bits(std::uint32_t bits)
{
    Mask const of_lane = {1, 2, 4, 8, 16, 32, 64, 128};
    return (all(static_cast<std::int32_t>(bits)) & of_lane) != 0;
}
CRX_WIDE Ints smaller(Ints const& a, Ints const& b)
{
    return ints(_mm256_min_epi32(raw(a), raw(b)));
}
CRX_WIDE Ints larger(Ints const& a, Ints const& b)
{
    return ints(_mm256_max_epi32(raw(a), raw(b)));
}
CRX_WIDE Ints pick(Mask const& mask, Ints const& a, Ints const& b)
{
    return ints(_mm256_blendv_epi8(raw(b), raw(a), raw(mask)));
}
CRX_WIDE Floats to_floats(Ints const& a) { return _mm256_cvtepi32_ps(raw(a)); }
CRX_WIDE Ints to_ints(Floats const& a) { return ints(_mm256_cvttps_epi32(a)); }
CRX_WIDE Floats rounded_up(Floats const& a) { return _mm256_ceil_ps(a); }
template <int apart>
CRX_WIDE void add_to_rows(Mask const& mask, Ints* table, Ints const& row, Ints const& a)
{
    for (auto left = bits(mask); left != 0; left &= left - 1) {
        auto const lane = __builtin_ctz(left);
        table[apart * row[lane]][lane] += a[lane];
    }
}
CRX_WIDE Ints put(Ints const& a, std::uint32_t lane, std::int32_t x)
{
    Ints const of_lane{1, 2, 4, 8, 16, 32, 64, 128};
    auto const here = all(static_cast<std::int32_t>(lane)) == of_lane;
    return ints(_mm256_blendv_epi8(raw(a), raw(all(x)), raw(here)));
}
CRX_WIDE Mask at_least(Ints const& a, Ints const& b)
{
    return ints(_mm256_max_epu32(raw(a), raw(b))) == a;
}
CRX_WIDE void multiply(Ints const& a, Ints const& b, Ints& high, Ints& low)
{
    constexpr int odd = 0xaa;
    auto const even_product = _mm256_mul_epu32(raw(a), raw(b));
    auto const odd_product =
        _mm256_mul_epu32(_mm256_srli_epi64(raw(a), 32), _mm256_srli_epi64(raw(b), 32));
    high = ints(_mm256_blend_epi32(_mm256_srli_epi64(even_product, 32), odd_product, odd));
    low = ints(_mm256_blend_epi32(even_product, _mm256_slli_epi64(odd_product, 32), odd));
}

} // namespace
} // namespace crx::wide
