#pragma once

#include "kernels/simd/lane_floats.hh"

// CPU only, as lane_floats.hh says.

namespace crx {
namespace {

template <>
struct LaneNumbers<double>
{
    using Number = double __attribute__((vector_size(lane_bytes), aligned(lane_bytes)));
    using Signed = std::int64_t __attribute__((vector_size(lane_bytes), aligned(lane_bytes)));
    using Whole = std::uint64_t __attribute__((vector_size(lane_bytes), aligned(lane_bytes)));
    static constexpr double never = 1e300; ///< absorbs what is added to it

    static constexpr int lanes = lane_bytes / sizeof(double);

    CRX_IN_LANES static Whole as_whole(Number const& a) { return reinterpret_cast<Whole>(a); }
    CRX_IN_LANES static Number as_number(Whole const& a) { return reinterpret_cast<Number>(a); }

    CRX_IN_LANES static Number magnitude(Number const& x)
    {
        return reinterpret_cast<Number>(reinterpret_cast<Whole>(x) & ~(std::uint64_t{1} << 63));
    }
    /// 1 / x within 2^-21 of itself. Contract: as of rough_inverse.
    CRX_IN_LANES static Number near_inverse(Number const& x)
    {
        auto const y = rough_inverse(x);
        return y * (2 - x * y);
    }

#if CRX_LANE_BYTES == 64
    using Mask = __mmask8;

    CRX_IN_LANES static Mask less(Number const& a, Number const& b)
    {
        return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
    }
    CRX_IN_LANES static Mask at_most(Number const& a, Number const& b)
    {
        return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
    }
    CRX_IN_LANES static Mask equal(Number const& a, Number const& b)
    {
        return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
    }
    CRX_IN_LANES static Number pick(Mask mask, Number const& a, Number const& b)
    {
        return _mm512_mask_blend_pd(mask, b, a);
    }
    /// x, elsewhere 0
    CRX_IN_LANES static Number where(Mask mask, Number const& x) { return pick(mask, x, Number{}); }
    CRX_IN_LANES static Number add_where(Mask mask, Number const& a, Number const& b)
    {
        return pick(mask, a + b, a);
    }
    CRX_IN_LANES static Signed to_signed(Number const& x)
    {
        return __builtin_convertvector(x, Signed);
    }
    CRX_IN_LANES static Number to_number(Signed const& x)
    {
        return __builtin_convertvector(x, Number);
    }
    /// Contract: x >= 0 and a Signed can hold it.
    CRX_IN_LANES static Number floor(Number const& x) { return to_number(to_signed(x)); }
    CRX_IN_LANES static Number larger(Number const& a, Number const& b)
    {
        return _mm512_maskz_max_pd(0xff, a, b);
    }
    CRX_IN_LANES static Number smaller(Number const& a, Number const& b)
    {
        return _mm512_maskz_min_pd(0xff, a, b);
    }
    CRX_IN_LANES static Number root(Number const& a) { return _mm512_maskz_sqrt_pd(0xff, a); }
    /// 1 / x and 1 / sqrt(x) within 2^-11 of themselves. Contract: 2^-60 <= x <= 2^60.
    CRX_IN_LANES static Number rough_inverse(Number const& x)
    {
        return _mm512_maskz_rcp14_pd(0xff, x);
    }
    CRX_IN_LANES static Number rough_inverse_root(Number const& x)
    {
        return _mm512_maskz_rsqrt14_pd(0xff, x);
    }
    /// A whole number below 2^52.
    CRX_IN_LANES static Number number(Whole const& x)
    {
        return _mm512_maskz_cvtepu64_pd(0xff, reinterpret_cast<__m512i>(x));
    }
    /// The lanes whose highest bit is set.
    CRX_IN_LANES static unsigned highest_bits(Whole const& x)
    {
        return _mm512_movepi64_mask(reinterpret_cast<__m512i>(x));
    }
    /// What lies at each address.
    CRX_IN_LANES static Whole words_at(Whole const& address)
    {
        return reinterpret_cast<Whole>(_mm512_mask_i64gather_epi64(
            __m512i{}, 0xff, reinterpret_cast<__m512i>(address), nullptr, 1));
    }
    /// from[place] in each lane.
    CRX_IN_LANES static Number look_up(double const* from, Whole const& place)
    {
        return _mm512_mask_i64gather_pd(__m512d{}, 0xff, reinterpret_cast<__m512i>(place), from, 8);
    }
    /// Of what the lower 32 bits hold.
    CRX_IN_LANES static Whole product_of_halves(Whole const& a, Whole const& b)
    {
        return reinterpret_cast<Whole>(_mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a),
                                                              reinterpret_cast<__m512i>(b)));
    }
    CRX_IN_LANES static unsigned bits(Mask mask) { return mask; }
    CRX_IN_LANES static Mask of_bits(unsigned bits) { return static_cast<Mask>(bits); }
#else
    using Mask = Signed; ///< -1 or 0

    CRX_IN_LANES static Mask less(Number const& a, Number const& b) { return a < b; }
    CRX_IN_LANES static Mask at_most(Number const& a, Number const& b) { return a <= b; }
    CRX_IN_LANES static Mask equal(Number const& a, Number const& b) { return a == b; }
    CRX_IN_LANES static Number pick(Mask const& mask, Number const& a, Number const& b)
    {
        return _mm256_blendv_pd(b, a, reinterpret_cast<__m256d>(mask));
    }
    CRX_IN_LANES static Number where(Mask const& mask, Number const& x)
    {
        return reinterpret_cast<Number>(mask & reinterpret_cast<Signed>(x));
    }
    CRX_IN_LANES static Number add_where(Mask const& mask, Number const& a, Number const& b)
    {
        return a + where(mask, b);
    }
    // Between 2^52 and 2^53 a double's last bit is worth 1. Contract: whole, below 2^51.
    static constexpr double shift = 6755399441055744; ///< 3 2^51
    CRX_IN_LANES static Signed to_signed(Number const& x)
    {
        return reinterpret_cast<Signed>(x + shift) - reinterpret_cast<Signed>(Number{} + shift);
    }
    CRX_IN_LANES static Number to_number(Signed const& x)
    {
        return reinterpret_cast<Number>(x + reinterpret_cast<Signed>(Number{} + shift)) - shift;
    }
    CRX_IN_LANES static Number floor(Number const& x) { return _mm256_floor_pd(x); }
    CRX_IN_LANES static Number larger(Number const& a, Number const& b)
    {
        return _mm256_max_pd(a, b);
    }
    CRX_IN_LANES static Number smaller(Number const& a, Number const& b)
    {
        return _mm256_min_pd(a, b);
    }
    CRX_IN_LANES static Number root(Number const& a) { return _mm256_sqrt_pd(a); }
    CRX_IN_LANES static Number rough_inverse(Number const& x)
    {
        return _mm256_cvtps_pd(_mm_rcp_ps(_mm256_cvtpd_ps(x)));
    }
    CRX_IN_LANES static Number rough_inverse_root(Number const& x)
    {
        return _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(x)));
    }
    CRX_IN_LANES static Number number(Whole const& x)
    {
        constexpr std::uint64_t bits_of_2_to_52 = 0x4330000000000000;
        return reinterpret_cast<Number>(x | bits_of_2_to_52) - 0x1p52;
    }
    CRX_IN_LANES static unsigned highest_bits(Whole const& x)
    {
        return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(x)));
    }
    CRX_IN_LANES static Whole words_at(Whole const& address)
    {
        return reinterpret_cast<Whole>(
            _mm256_i64gather_epi64(nullptr, reinterpret_cast<__m256i>(address), 1));
    }
    CRX_IN_LANES static Number look_up(double const* from, Whole const& place)
    {
        return _mm256_i64gather_pd(from, reinterpret_cast<__m256i>(place), 8);
    }
    CRX_IN_LANES static Whole product_of_halves(Whole const& a, Whole const& b)
    {
        return reinterpret_cast<Whole>(
            _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
    }
    CRX_IN_LANES static unsigned bits(Mask const& mask)
    {
        return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
    }
    CRX_IN_LANES static Mask of_bits(unsigned bits)
    {
        Mask const of_lane = {1, 2, 4, 8};
        return ((static_cast<std::int64_t>(bits) + Signed{}) & of_lane) != 0;
    }
#endif
};

} // namespace
} // namespace crx
