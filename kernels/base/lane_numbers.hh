#pragma once

#include "kernels/base/in_lanes.hh"

#include <cstdint>
#include <immintrin.h>

// CPU only: included by source files that are compiled for AVX-512 or AVX2 from here on and say so
// by CRX_LANE_BYTES, 64 or 32 (upper_lanes_avx512.cc and its like; GCC 12 does not tell by a macro
// what `#pragma GCC target` named). What lies in the unnamed namespace differs between them.

namespace crx {
namespace {

inline constexpr int lane_bytes = CRX_LANE_BYTES;

/// A whole number of each lane of a register, held in floats or in doubles, with masks. GCC's own
/// vectors do the arithmetic; what it makes of comparisons of 64 bytes is too slow.
template <class T>
struct LaneNumbers;

template <>
struct LaneNumbers<float>
{
    using Number = float __attribute__((vector_size(lane_bytes), aligned(lane_bytes)));
    using Signed = std::int32_t __attribute__((vector_size(lane_bytes), aligned(lane_bytes)));
    static constexpr float never = 1e30f; ///< absorbs what is added to it

#if CRX_LANE_BYTES == 64
    using Mask = __mmask16;

    CRX_IN_LANES static Mask less(Number const& a, Number const& b)
    {
        return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
    }
    CRX_IN_LANES static Mask at_most(Number const& a, Number const& b)
    {
        return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
    }
    CRX_IN_LANES static Mask equal(Number const& a, Number const& b)
    {
        return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
    }
    CRX_IN_LANES static Number pick(Mask mask, Number const& a, Number const& b)
    {
        return _mm512_mask_blend_ps(mask, b, a);
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
        return _mm512_maskz_max_ps(0xffff, a, b);
    }
    CRX_IN_LANES static Number smaller(Number const& a, Number const& b)
    {
        return _mm512_maskz_min_ps(0xffff, a, b);
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
        return _mm256_blendv_ps(b, a, reinterpret_cast<__m256>(mask));
    }
    CRX_IN_LANES static Number where(Mask const& mask, Number const& x)
    {
        return reinterpret_cast<Number>(mask & reinterpret_cast<Signed>(x));
    }
    CRX_IN_LANES static Number add_where(Mask const& mask, Number const& a, Number const& b)
    {
        return a + where(mask, b);
    }
    CRX_IN_LANES static Signed to_signed(Number const& x)
    {
        return reinterpret_cast<Signed>(_mm256_cvttps_epi32(x));
    }
    CRX_IN_LANES static Number to_number(Signed const& x)
    {
        return _mm256_cvtepi32_ps(reinterpret_cast<__m256i>(x));
    }
    CRX_IN_LANES static Number floor(Number const& x) { return _mm256_floor_ps(x); }
    CRX_IN_LANES static Number larger(Number const& a, Number const& b)
    {
        return _mm256_max_ps(a, b);
    }
    CRX_IN_LANES static Number smaller(Number const& a, Number const& b)
    {
        return _mm256_min_ps(a, b);
    }
    CRX_IN_LANES static unsigned bits(Mask const& mask)
    {
        return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
    }
    CRX_IN_LANES static Mask of_bits(unsigned bits)
    {
        Mask const of_lane = {1, 2, 4, 8, 16, 32, 64, 128};
        return ((static_cast<std::int32_t>(bits) + Signed{}) & of_lane) != 0;
    }
#endif
};

template <>
struct LaneNumbers<double>
{
    using Number = double __attribute__((vector_size(lane_bytes), aligned(lane_bytes)));
    using Signed = std::int64_t __attribute__((vector_size(lane_bytes), aligned(lane_bytes)));
    using Whole = std::uint64_t __attribute__((vector_size(lane_bytes), aligned(lane_bytes)));
    static constexpr double never = 1e300; ///< absorbs what is added to it

    /// A whole number below 2^52 as a double, and back.
    CRX_IN_LANES static Number number(Whole const& a)
    {
        return reinterpret_cast<Number>(a | bits_of_2_to_52) - 0x1p52;
    }
    CRX_IN_LANES static Whole whole(Number const& a)
    {
        return reinterpret_cast<Whole>(a + 0x1p52) ^ bits_of_2_to_52;
    }
    static constexpr std::uint64_t bits_of_2_to_52 = 0x4330000000000000;

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
