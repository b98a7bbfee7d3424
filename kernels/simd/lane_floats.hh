#pragma once

#include "kernels/simd/in_lanes.hh"

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

    static constexpr int lanes = lane_bytes / sizeof(float);

    CRX_IN_LANES static Number magnitude(Number const& x)
    {
        return reinterpret_cast<Number>(reinterpret_cast<Signed>(x) & 0x7fffffff);
    }
    /// 1 / x within near_error of itself. Contract: as of rough_inverse.
    CRX_IN_LANES static Number near_inverse(Number const& x)
    {
        auto const y = rough_inverse(x);
        return y * (2 - x * y);
    }
    /// 1 / sqrt(x), likewise.
    CRX_IN_LANES static Number near_inverse_root(Number const& x)
    {
        auto const y = rough_inverse_root(x);
        return y * (1.5f - 0.5f * x * y * y);
    }

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
    /// a b - c and c - a b, rounded once.
    CRX_IN_LANES static Number product_less(Number const& a, Number const& b, Number const& c)
    {
        return _mm512_maskz_fmsub_ps(0xffff, a, b, c);
    }
    CRX_IN_LANES static Number less_product(Number const& c, Number const& a, Number const& b)
    {
        return _mm512_maskz_fnmadd_ps(0xffff, a, b, c);
    }
    static constexpr float near_error = 0x1p-22f; ///< 1.5 times 2^-14 squared, three roundings
    /// Contract: 2^-80 <= x <= 2^80.
    CRX_IN_LANES static Number rough_inverse(Number const& x)
    {
        return _mm512_maskz_rcp14_ps(0xffff, x);
    }
    CRX_IN_LANES static Number rough_inverse_root(Number const& x)
    {
        return _mm512_maskz_rsqrt14_ps(0xffff, x);
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
    CRX_IN_LANES static Number product_less(Number const& a, Number const& b, Number const& c)
    {
        return _mm256_fmsub_ps(a, b, c);
    }
    CRX_IN_LANES static Number less_product(Number const& c, Number const& a, Number const& b)
    {
        return _mm256_fnmadd_ps(a, b, c);
    }
    static constexpr float near_error = 0x1p-21f; ///< the same of 1.5 2^-12
    CRX_IN_LANES static Number rough_inverse(Number const& x) { return _mm256_rcp_ps(x); }
    CRX_IN_LANES static Number rough_inverse_root(Number const& x) { return _mm256_rsqrt_ps(x); }
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

} // namespace
} // namespace crx
