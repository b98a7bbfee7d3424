#pragma once

#include "kernels/base/host_device.cuh"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CRX_NUMBER_LANES
#endif

#ifdef CRX_NUMBER_LANES
#include <cstdint>
#include <immintrin.h>

// A function for processors with AVX-512, inlined where it is called.
#define CRX_IN_LANES __attribute__((target("arch=x86-64-v4"), always_inline)) inline

namespace crx {

/// A whole number of each lane of a 64-byte register, held in floats or in doubles, with masks.
/// GCC's own vectors do the arithmetic; what it makes of their comparisons is too slow.
template <class T>
struct LaneNumbers;

template <>
struct LaneNumbers<float>
{
    using Number = float __attribute__((vector_size(64), aligned(64)));
    using Signed = std::int32_t __attribute__((vector_size(64), aligned(64)));
    using Whole = std::uint32_t __attribute__((vector_size(64), aligned(64)));
    using Mask = __mmask16;
    static constexpr float never = 1e30f; ///< absorbs what is added to it
    static constexpr Mask all = 0xffff;

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
    CRX_IN_LANES static Number larger(Number const& a, Number const& b)
    {
        return _mm512_maskz_max_ps(all, a, b);
    }
    CRX_IN_LANES static Number smaller(Number const& a, Number const& b)
    {
        return _mm512_maskz_min_ps(all, a, b);
    }
    CRX_IN_LANES static Whole larger(Whole const& a, Whole const& b)
    {
        return reinterpret_cast<Whole>(_mm512_maskz_max_epu32(all, reinterpret_cast<__m512i>(a),
                                                              reinterpret_cast<__m512i>(b)));
    }
    CRX_IN_LANES static void scatter(float* to, Mask mask, Signed const& index, Number const& x)
    {
        _mm512_mask_i32scatter_ps(to, mask, reinterpret_cast<__m512i>(index), x, 4);
    }
};

template <>
struct LaneNumbers<double>
{
    using Number = double __attribute__((vector_size(64), aligned(64)));
    using Signed = std::int64_t __attribute__((vector_size(64), aligned(64)));
    using Whole = std::uint64_t __attribute__((vector_size(64), aligned(64)));
    using Mask = __mmask8;
    static constexpr double never = 1e300; ///< absorbs what is added to it
    static constexpr Mask all = 0xff;

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
    CRX_IN_LANES static Number larger(Number const& a, Number const& b)
    {
        return _mm512_maskz_max_pd(all, a, b);
    }
    CRX_IN_LANES static Number smaller(Number const& a, Number const& b)
    {
        return _mm512_maskz_min_pd(all, a, b);
    }
    CRX_IN_LANES static Whole larger(Whole const& a, Whole const& b)
    {
        return reinterpret_cast<Whole>(_mm512_maskz_max_epu64(all, reinterpret_cast<__m512i>(a),
                                                              reinterpret_cast<__m512i>(b)));
    }
    CRX_IN_LANES static void scatter(double* to, Mask mask, Signed const& index, Number const& x)
    {
        _mm512_mask_i64scatter_pd(to, mask, reinterpret_cast<__m512i>(index), x, 8);
    }
};

} // namespace crx
#endif
