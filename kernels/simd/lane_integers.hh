#pragma once

#include "kernels/simd/lane_moves.hh"
#include "kernels/simd/lane_numbers.hh"

#include <bit>

// Part of the vocabulary of lanes.hh: integers of 32 bits side by side, and lists of them that
// take several registers.
namespace crx {
namespace {

using Ints = Lanes<std::int32_t>;

template <class T>
CRX_IN_LANES bool any(LaneMask<T> mask)
{
    if constexpr (masks_are_bits)
        return mask.v.raw != 0;
    else
        return bits_of(mask) != 0;
}
/// The least integers from x on, as floats.
CRX_IN_LANES Lanes<float> rounded_up(Lanes<float> x) { return {hn::Ceil(x.v)}; }
CRX_IN_LANES std::int32_t sum_of(Ints a) { return hn::GetLane(hn::SumOfLanes(Ints::Tag(), a.v)); }
CRX_IN_LANES std::int32_t first_of(Ints a) { return hn::GetLane(a.v); }
/// x in the lane of this bit, elsewhere a.
CRX_IN_LANES Ints put(Ints a, unsigned lane, std::int32_t x)
{
    return choose(Ints::Mask::of(lane), Ints::all(x), a);
}
/// One less in a mask.
CRX_IN_LANES Ints one_less_where(Ints::Mask mask, Ints a)
{
    if constexpr (masks_are_bits)
        return choose(mask, a - 1, a);
    else
        return {a.v + hn::VecFromMask(Ints::Tag(), mask.v)};
}

/// The lanes of part b of a list that hold the first n of it. Contract: 0 <= n, b <= 3.
CRX_IN_LANES Ints::Mask first_of_part(std::uint32_t n, int b)
{
    if constexpr (masks_are_bits)
        return Ints::Mask::of(
            static_cast<std::uint16_t>(_bzhi_u64(~std::uint64_t{0}, n) >> 16 * b));
    else
        return more(Ints::all(static_cast<std::int32_t>(n) - Ints::count * b), Ints::numbers());
}
/// The lanes of part b of a list that hold what does not come before n.
/// Contract: 0 <= n <= 63, b <= 3.
CRX_IN_LANES Ints::Mask rest_of_part(std::uint32_t n, int b)
{
    if constexpr (masks_are_bits)
        return Ints::Mask::of(static_cast<std::uint16_t>((~std::uint64_t{0} << n) >> 16 * b));
    else
        return more(Ints::numbers(), Ints::all(static_cast<std::int32_t>(n) - 1 - Ints::count * b));
}

/// Each lane and those before it.
CRX_IN_LANES Ints running_sum(Ints a)
{
#if HWY_TARGET == HWY_AVX3
    auto const zero = _mm512_setzero_si512();
    auto sum = a.v.raw;
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 15));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 14));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 12));
    return {decltype(a.v){_mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 8))}};
#else
    auto sum = a.v.raw; // of each half, then the lower half's total is added to the upper
    sum = _mm256_add_epi32(sum, _mm256_slli_si256(sum, 4));
    sum = _mm256_add_epi32(sum, _mm256_slli_si256(sum, 8));
    auto const low = _mm256_permute2x128_si256(sum, sum, 0x08); // zero, then the lower half
    return {decltype(a.v){_mm256_add_epi32(sum, _mm256_shuffle_epi32(low, 0xff))}};
#endif
}
/// All of `lower` but the first number, then the first of `upper`.
CRX_IN_LANES Ints shifted_out(Ints lower, Ints upper)
{
#if HWY_TARGET == HWY_AVX3
    return {decltype(lower.v){_mm512_alignr_epi32(upper.v.raw, lower.v.raw, 1)}};
#else
    auto const middle = _mm256_permute2x128_si256(lower.v.raw, upper.v.raw, 0x21);
    return {decltype(lower.v){_mm256_alignr_epi8(middle, lower.v.raw, 4)}};
#endif
}
/// The last lane in all of them.
CRX_IN_LANES Ints last_in_all(Ints a)
{
#if HWY_TARGET == HWY_AVX3
    return {decltype(a.v){_mm512_permutexvar_epi32(_mm512_set1_epi32(15), a.v.raw)}};
#else
    return {decltype(a.v){_mm256_permutevar8x32_epi32(a.v.raw, _mm256_set1_epi32(7))}};
#endif
}

/// Adds to the numbers of a table: in each lane of the mask to row[lane] of its column. Rows lie
/// `apart` registers apart.
template <int apart>
CRX_IN_LANES void add_to_rows(Ints::Mask mask, Ints* table, Ints row, Ints a)
{
#if HWY_TARGET == HWY_AVX3
    auto const at = (row * (16 * apart) + Ints::numbers()).v.raw;
    auto const before =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask.v.raw, at, table, 4);
    _mm512_mask_i32scatter_epi32(table, mask.v.raw, at, _mm512_add_epi32(before, a.v.raw), 4);
#else
    for (auto left = bits_of(mask); left != 0; left &= left - 1) {
        auto const lane = std::countr_zero(left);
        table[apart * row[lane]][lane] += a[lane];
    }
#endif
}

} // namespace
} // namespace crx
