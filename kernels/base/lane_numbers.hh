#pragma once

#include "kernels/base/lane_moves.hh"
#include "kernels/base/lanes.hh"

#include <bit>
#include <type_traits>

// Part of the vocabulary of lanes.hh: lanes beside a number that all lanes share, floats and
// doubles, and what they become as integers.
namespace crx {
namespace {

#define CRX_LANES_OPERATOR(op)                                                                     \
    template <class T>                                                                             \
    CRX_IN_LANES Lanes<T> operator op(Lanes<T> a, std::type_identity_t<T> b)                       \
    {                                                                                              \
        return a op Lanes<T>::all(b);                                                              \
    }                                                                                              \
    template <class T>                                                                             \
    CRX_IN_LANES Lanes<T> operator op(std::type_identity_t<T> a, Lanes<T> b)                       \
    {                                                                                              \
        return Lanes<T>::all(a) op b;                                                              \
    }                                                                                              \
    template <class T, class X>                                                                    \
    CRX_IN_LANES Lanes<T>& operator op##=(Lanes<T>& a, X b)                                        \
    {                                                                                              \
        return a = a op b;                                                                         \
    }
CRX_LANES_OPERATOR(+)
CRX_LANES_OPERATOR(-)
CRX_LANES_OPERATOR(*)
CRX_LANES_OPERATOR(/)
CRX_LANES_OPERATOR(&)
CRX_LANES_OPERATOR(|)
CRX_LANES_OPERATOR(^)
#undef CRX_LANES_OPERATOR
template <class T>
CRX_IN_LANES Lanes<T> operator-(Lanes<T> a)
{
    if constexpr (std::is_floating_point_v<T>)
        return {decltype(a.v){-a.v.raw}};
    else
        return Lanes<T>::zero() - a;
}
/// a without the bits of b.
template <class T>
CRX_IN_LANES Lanes<T> without_bits(Lanes<T> a, Lanes<T> b)
{
    return {hn::AndNot(b.v, a.v)};
}

/// The integer that takes as many bytes.
template <class T>
using IntegerAs = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// Between 2^52 and 2^53 a double's last bit is worth 1: with this added, integers below 2^51 are
/// its last bits.
inline constexpr double last_bit_is_one = 6755399441055744; ///< 3 2^51

/// Contract: an integer can hold it; doubles: whole, below 2^51.
CRX_IN_LANES Lanes<std::int32_t> to_integers(Lanes<float> x)
{
#if HWY_TARGET == HWY_AVX3 // Highway's has more to do for what no integer can hold
    return {hn::Vec<hn::ScalableTag<std::int32_t>>{_mm512_cvttps_epi32(x.v.raw)}};
#else
    return {hn::Vec<hn::ScalableTag<std::int32_t>>{_mm256_cvttps_epi32(x.v.raw)}};
#endif
}
CRX_IN_LANES Lanes<std::int64_t> to_integers(Lanes<double> x)
{
#if HWY_TARGET == HWY_AVX3
    return {hn::Vec<hn::ScalableTag<std::int64_t>>{_mm512_cvttpd_epi64(x.v.raw)}};
#else
    return same_bits<std::int64_t>(x + last_bit_is_one) -
           same_bits<std::int64_t>(Lanes<double>::all(last_bit_is_one));
#endif
}
/// Contract: for 64 bits as above.
CRX_IN_LANES Lanes<float> to_numbers(Lanes<std::int32_t> a)
{
    return {hn::ConvertTo(hn::ScalableTag<float>(), a.v)};
}
CRX_IN_LANES Lanes<double> to_numbers(Lanes<std::int64_t> a)
{
#if HWY_TARGET == HWY_AVX3
    return {hn::ConvertTo(hn::ScalableTag<double>(), a.v)};
#else
    return same_bits<double>(a + same_bits<std::int64_t>(Lanes<double>::all(last_bit_is_one))) -
           last_bit_is_one;
#endif
}
/// Contract: below 2^52.
CRX_IN_LANES Lanes<double> to_numbers(Lanes<std::uint64_t> a)
{
#if HWY_TARGET == HWY_AVX3
    return {decltype(Lanes<double>::v){_mm512_cvtepu64_pd(a.v.raw)}};
#else
    constexpr std::uint64_t bits_of_2_to_52 = 0x4330000000000000;
    return same_bits<double>(a | bits_of_2_to_52) - 0x1p52;
#endif
}

/// Contract: x >= 0, and an integer of its size can hold it.
template <class T>
CRX_IN_LANES Lanes<T> rounded_down(Lanes<T> x)
{
#if HWY_TARGET == HWY_AVX3
    return to_numbers(to_integers(x));
#else
    return {hn::Floor(x.v)};
#endif
}
template <class T>
CRX_IN_LANES Lanes<T> magnitude(Lanes<T> x)
{
    return {hn::Abs(x.v)};
}
template <class T>
CRX_IN_LANES Lanes<T> square_root(Lanes<T> x)
{
    return {hn::Sqrt(x.v)};
}
/// a b - c and c - a b, rounded once.
template <class T>
CRX_IN_LANES Lanes<T> product_less(Lanes<T> a, Lanes<T> b, Lanes<T> c)
{
    return {hn::MulSub(a.v, b.v, c.v)};
}
template <class T>
CRX_IN_LANES Lanes<T> less_product(Lanes<T> c, Lanes<T> a, Lanes<T> b)
{
    return {hn::NegMulAdd(a.v, b.v, c.v)};
}

/// 1 / x and 1 / sqrt(x) within rough_error of themselves.
/// Contract: 2^-80 <= x <= 2^80; doubles: 2^-60 <= x <= 2^60.
inline constexpr float rough_error = masks_are_bits ? 0x1p-14f : 1.5f * 0x1p-12f;
CRX_IN_LANES Lanes<float> rough_inverse(Lanes<float> x) { return {hn::ApproximateReciprocal(x.v)}; }
CRX_IN_LANES Lanes<float> rough_inverse_root(Lanes<float> x)
{
    return {hn::ApproximateReciprocalSqrt(x.v)};
}
CRX_IN_LANES Lanes<double> rough_inverse(Lanes<double> x)
{
#if HWY_TARGET == HWY_AVX3
    return {decltype(x.v){_mm512_rcp14_pd(x.v.raw)}};
#else
    return {decltype(x.v){_mm256_cvtps_pd(_mm_rcp_ps(_mm256_cvtpd_ps(x.v.raw)))}};
#endif
}
CRX_IN_LANES Lanes<double> rough_inverse_root(Lanes<double> x)
{
#if HWY_TARGET == HWY_AVX3
    return {decltype(x.v){_mm512_rsqrt14_pd(x.v.raw)}};
#else
    return {decltype(x.v){_mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(x.v.raw)))}};
#endif
}
/// 1 / x and 1 / sqrt(x) within near_error of themselves: 1.5 times rough_error squared, and three
/// roundings. Doubles: within 2^-21.
inline constexpr float near_error = masks_are_bits ? 0x1p-22f : 0x1p-21f;
template <class T>
CRX_IN_LANES Lanes<T> near_inverse(Lanes<T> x)
{
    auto const y = rough_inverse(x);
    return y * (2 - x * y);
}
template <class T>
CRX_IN_LANES Lanes<T> near_inverse_root(Lanes<T> x)
{
    auto const y = rough_inverse_root(x);
    return y * (T(1.5) - T(0.5) * x * y * y);
}

/// The lanes whose highest bit is set, a bit each.
CRX_IN_LANES unsigned highest_bits(Lanes<std::uint64_t> x)
{
#if HWY_TARGET == HWY_AVX3
    return _mm512_movepi64_mask(x.v.raw);
#else
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(x.v.raw)));
#endif
}
/// What lies at each address.
CRX_IN_LANES Lanes<std::uint64_t> words_at(Lanes<std::uint64_t> address)
{
#if HWY_TARGET == HWY_AVX3
    return {decltype(address.v){
        _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), 0xff, address.v.raw, nullptr, 1)}};
#else
    return {decltype(address.v){_mm256_i64gather_epi64(nullptr, address.v.raw, 1)}};
#endif
}
/// from[place] in each lane.
CRX_IN_LANES Lanes<double> look_up(double const* from, Lanes<std::uint64_t> place)
{
#if HWY_TARGET == HWY_AVX3
    return {decltype(Lanes<double>::v){
        _mm512_mask_i64gather_pd(_mm512_setzero_pd(), 0xff, place.v.raw, from, 8)}};
#else
    return {decltype(Lanes<double>::v){_mm256_i64gather_pd(from, place.v.raw, 8)}};
#endif
}
/// Products of what the lower 32 bits hold.
CRX_IN_LANES Lanes<std::uint64_t> product_of_halves(Lanes<std::uint64_t> a, Lanes<std::uint64_t> b)
{
    hn::ScalableTag<std::uint32_t> const half;
    return {hn::MulEven(hn::BitCast(half, a.v), hn::BitCast(half, b.v))};
}

} // namespace
} // namespace crx

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
