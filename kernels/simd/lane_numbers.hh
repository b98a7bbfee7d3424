#pragma once

#include "kernels/simd/lanes.hh"

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
