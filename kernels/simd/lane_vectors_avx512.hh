#pragma once

#include "kernels/base/host_device.cuh"

#include <immintrin.h>

// CPU only. Included by lane_vectors.cuh alone, under a target with AVX-512 (f, vl, bw, dq) and
// BMI2.
namespace crx {
namespace {

struct LaneSet;

/// Sixteen 32-bit integers, a lane each.
struct Lanes
{
    using Number = std::int32_t;
    using Set = LaneSet;
    static constexpr int count = 16, parts = 1;
    __m512i v;

    static Lanes zero() { return {_mm512_setzero_si512()}; }
    static Lanes all(std::int32_t value) { return {_mm512_set1_epi32(value)}; }
    static Lanes numbers()
    {
        return {_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)};
    }
    /// From a multiple of 64 bytes, or from anywhere.
    static Lanes load(void const* from) { return {_mm512_load_si512(from)}; }
    static Lanes load_anywhere(void const* from) { return {_mm512_loadu_si512(from)}; }
};
/// Some of the lanes.
struct LaneSet
{
    __mmask16 v;

    static LaneSet of(unsigned bits) { return {static_cast<__mmask16>(bits)}; }
    /// The first `count`, at most all of them. Contract: count >= 0.
    static LaneSet below(std::int32_t count)
    {
        auto const some = static_cast<unsigned>(count < Lanes::count ? count : Lanes::count);
        return {static_cast<__mmask16>(_bzhi_u32(0xffff, some))};
    }
};
/// A bit for each lane.
inline unsigned bits_of(LaneSet s) { return s.v; }
inline LaneSet operator|(LaneSet a, LaneSet b) { return {static_cast<__mmask16>(a.v | b.v)}; }
inline LaneSet operator&(LaneSet a, LaneSet b) { return {static_cast<__mmask16>(a.v & b.v)}; }
inline LaneSet without(LaneSet a, LaneSet b) { return {static_cast<__mmask16>(a.v & ~b.v)}; }

inline void store(void* to, Lanes a) { _mm512_store_si512(to, a.v); }
inline void store_anywhere(void* to, Lanes a) { _mm512_storeu_si512(to, a.v); }
/// Writes the lanes of a set alone.
inline void store_where(LaneSet s, void* to, Lanes a) { _mm512_mask_storeu_epi32(to, s.v, a.v); }
inline Lanes operator+(Lanes a, Lanes b) { return {_mm512_add_epi32(a.v, b.v)}; }
inline Lanes operator-(Lanes a, Lanes b) { return {_mm512_sub_epi32(a.v, b.v)}; }
inline Lanes operator*(Lanes a, Lanes b) { return {_mm512_mullo_epi32(a.v, b.v)}; }
inline Lanes operator&(Lanes a, Lanes b) { return {_mm512_and_si512(a.v, b.v)}; }
inline Lanes operator^(Lanes a, Lanes b) { return {_mm512_xor_si512(a.v, b.v)}; }
inline Lanes smaller(Lanes a, Lanes b) { return {_mm512_min_epi32(a.v, b.v)}; }
inline Lanes larger(Lanes a, Lanes b) { return {_mm512_max_epi32(a.v, b.v)}; }
/// Quotients rounded towards 0; means nothing where b is 0. Exact, as a quotient of 32-bit integers
/// that is no integer is further from one than a double is wrong.
inline Lanes quotients(Lanes a, Lanes b)
{
    auto const half = [](__m256i x, __m256i y) {
        return _mm512_cvttpd_epi32(_mm512_div_pd(_mm512_cvtepi32_pd(x), _mm512_cvtepi32_pd(y)));
    };
    auto const low = half(_mm512_castsi512_si256(a.v), _mm512_castsi512_si256(b.v));
    auto const high = half(_mm512_extracti64x4_epi64(a.v, 1), _mm512_extracti64x4_epi64(b.v, 1));
    return {_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1)};
}
inline std::int32_t least_of(Lanes a) { return _mm512_reduce_min_epi32(a.v); }
inline std::int32_t greatest_of(Lanes a)
{
    using Integers = std::int32_t __attribute__((vector_size(64)));
    auto const with = [](Integers v, Integers from) {
        auto const moved = __builtin_shuffle(v, from);
        return v > moved ? v : moved;
    };
    auto v = with(reinterpret_cast<Integers>(a.v), Integers{8, 9, 10, 11, 12, 13, 14, 15});
    v = with(v, Integers{4, 5, 6, 7});
    v = with(v, Integers{2, 3});
    return v[0] > v[1] ? v[0] : v[1];
}

// Comparisons; of a set: where they hold in it.
inline LaneSet equal(Lanes a, Lanes b) { return {_mm512_cmpeq_epi32_mask(a.v, b.v)}; }
inline LaneSet less(Lanes a, Lanes b) { return {_mm512_cmplt_epi32_mask(a.v, b.v)}; }
inline LaneSet at_most(Lanes a, Lanes b) { return {_mm512_cmple_epi32_mask(a.v, b.v)}; }
inline LaneSet more(Lanes a, Lanes b) { return {_mm512_cmpgt_epi32_mask(a.v, b.v)}; }
inline LaneSet at_least(Lanes a, Lanes b) { return {_mm512_cmpge_epi32_mask(a.v, b.v)}; }
inline LaneSet not_zero(Lanes a) { return {_mm512_test_epi32_mask(a.v, a.v)}; }
inline LaneSet equal(LaneSet s, Lanes a, Lanes b)
{
    return {_mm512_mask_cmpeq_epi32_mask(s.v, a.v, b.v)};
}
inline LaneSet at_most(LaneSet s, Lanes a, Lanes b)
{
    return {_mm512_mask_cmple_epi32_mask(s.v, a.v, b.v)};
}
inline LaneSet more(LaneSet s, Lanes a, Lanes b)
{
    return {_mm512_mask_cmpgt_epi32_mask(s.v, a.v, b.v)};
}
inline LaneSet at_least(LaneSet s, Lanes a, Lanes b)
{
    return {_mm512_mask_cmpge_epi32_mask(s.v, a.v, b.v)};
}
inline LaneSet less_unsigned(LaneSet s, Lanes a, Lanes b)
{
    return {_mm512_mask_cmplt_epu32_mask(s.v, a.v, b.v)};
}

/// The last number of `lower`, then all of `upper` but the last.
inline Lanes shifted_in(Lanes lower, Lanes upper)
{
    return {_mm512_alignr_epi32(upper.v, lower.v, Lanes::count - 1)};
}

/// a in a set, b elsewhere.
inline Lanes choose(LaneSet s, Lanes a, Lanes b) { return {_mm512_mask_mov_epi32(b.v, s.v, a.v)}; }
/// a & b in a set, c elsewhere.
inline Lanes and_where(LaneSet s, Lanes a, Lanes b, Lanes c)
{
    return {_mm512_mask_and_epi32(c.v, s.v, a.v, b.v)};
}
/// a in a set, 0 elsewhere.
inline Lanes or_zero(LaneSet s, Lanes a) { return {_mm512_maskz_mov_epi32(s.v, a.v)}; }
inline Lanes sum_or_zero(LaneSet s, Lanes a, Lanes b)
{
    return {_mm512_maskz_add_epi32(s.v, a.v, b.v)};
}
/// Changed in a set, a elsewhere.
inline Lanes add_where(LaneSet s, Lanes a, Lanes b)
{
    return {_mm512_mask_add_epi32(a.v, s.v, a.v, b.v)};
}
inline Lanes count_where(LaneSet s, Lanes a) // one more
{
    return {_mm512_mask_add_epi32(a.v, s.v, a.v, _mm512_set1_epi32(1))};
}
inline Lanes larger_where(LaneSet s, Lanes a, Lanes b)
{
    return {_mm512_mask_max_epi32(a.v, s.v, a.v, b.v)};
}
inline Lanes larger_unsigned_where(LaneSet s, Lanes a, Lanes b)
{
    return {_mm512_mask_max_epu32(a.v, s.v, a.v, b.v)};
}

/// from[index[k]] in each lane k of a set; 0 elsewhere.
inline Lanes gather(LaneSet s, std::uint32_t const* from, Lanes index)
{
    return {_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), s.v, index.v, from, 4)};
}
/// Of the words with these upper halves the high 64 bits of words[at[k]] times count in the lanes k
/// of a set; `again`: where the lower halves may matter. Means nothing elsewhere, where
/// upper[at[k]] may be read.
inline Lanes scaled_words(LaneSet s, std::uint32_t const* upper, std::int32_t const* at,
                          Lanes count, LaneSet& again)
{
    auto const word =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), s.v, Lanes::load(at).v, upper, 4);
    auto const even = _mm512_mul_epu32(word, count.v);
    auto const odd = _mm512_mul_epu32(_mm512_srli_epi64(word, 32), _mm512_srli_epi64(count.v, 32));
    auto const low = _mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32));
    again = {_mm512_mask_cmple_epu32_mask(s.v, _mm512_add_epi32(low, count.v), count.v)};
    return {_mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd)};
}
/// The upper halves of words.
inline void store_high_halves(std::uint64_t const* words, std::uint32_t* to, int count)
{
    for (int k = 0; k < count; k += 8)
        _mm256_store_si256(
            reinterpret_cast<__m256i*>(to + k),
            _mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_load_si512(words + k), 32)));
}

} // namespace
} // namespace crx
