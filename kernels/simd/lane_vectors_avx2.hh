#pragma once

#include "kernels/base/host_device.cuh"

#include <immintrin.h>

// CPU only. Included by lane_vectors.cuh alone, under a target with AVX2 and BMI2. What each of
// these does is said in lane_vectors_avx512.hh.
namespace crx {
namespace {

struct LaneSet;

struct Lanes
{
    using Number = std::int32_t;
    using Set = LaneSet;
    static constexpr int count = 8, parts = 1;
    __m256i v;

    static Lanes zero() { return {_mm256_setzero_si256()}; }
    static Lanes all(std::int32_t value) { return {_mm256_set1_epi32(value)}; }
    static Lanes numbers() { return {_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)}; }
    static Lanes load(void const* from)
    {
        return {_mm256_load_si256(static_cast<__m256i const*>(from))};
    }
    static Lanes load_anywhere(void const* from)
    {
        return {_mm256_loadu_si256(static_cast<__m256i const*>(from))};
    }
};
/// Some of the lanes: all bits of theirs are set, none of others.
struct LaneSet
{
    __m256i v;

    static LaneSet of(unsigned bits)
    {
        auto const own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        auto const all = _mm256_set1_epi32(static_cast<int>(bits));
        return {_mm256_cmpeq_epi32(_mm256_and_si256(all, own), own)};
    }
    static LaneSet below(std::int32_t count)
    {
        return {_mm256_cmpgt_epi32(_mm256_set1_epi32(count), Lanes::numbers().v)};
    }
};

inline unsigned bits_of(LaneSet s)
{
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(s.v)));
}
inline LaneSet operator|(LaneSet a, LaneSet b) { return {_mm256_or_si256(a.v, b.v)}; }
inline LaneSet operator&(LaneSet a, LaneSet b) { return {_mm256_and_si256(a.v, b.v)}; }
inline LaneSet without(LaneSet a, LaneSet b) { return {_mm256_andnot_si256(b.v, a.v)}; }

inline void store(void* to, Lanes a) { _mm256_store_si256(static_cast<__m256i*>(to), a.v); }
inline void store_anywhere(void* to, Lanes a)
{
    _mm256_storeu_si256(static_cast<__m256i*>(to), a.v);
}

inline Lanes operator+(Lanes a, Lanes b) { return {_mm256_add_epi32(a.v, b.v)}; }
inline Lanes operator-(Lanes a, Lanes b) { return {_mm256_sub_epi32(a.v, b.v)}; }
inline Lanes operator*(Lanes a, Lanes b) { return {_mm256_mullo_epi32(a.v, b.v)}; }
inline Lanes operator&(Lanes a, Lanes b) { return {_mm256_and_si256(a.v, b.v)}; }
inline Lanes operator^(Lanes a, Lanes b) { return {_mm256_xor_si256(a.v, b.v)}; }
inline Lanes smaller(Lanes a, Lanes b) { return {_mm256_min_epi32(a.v, b.v)}; }
inline Lanes larger(Lanes a, Lanes b) { return {_mm256_max_epi32(a.v, b.v)}; }
inline Lanes quotients(Lanes a, Lanes b)
{
    auto const half = [](__m128i x, __m128i y) {
        return _mm256_cvttpd_epi32(_mm256_div_pd(_mm256_cvtepi32_pd(x), _mm256_cvtepi32_pd(y)));
    };
    auto const low = half(_mm256_castsi256_si128(a.v), _mm256_castsi256_si128(b.v));
    auto const high = half(_mm256_extracti128_si256(a.v, 1), _mm256_extracti128_si256(b.v, 1));
    return {_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1)};
}
inline std::int32_t least_of(Lanes a)
{
    auto least = _mm_min_epi32(_mm256_castsi256_si128(a.v), _mm256_extracti128_si256(a.v, 1));
    least = _mm_min_epi32(least, _mm_shuffle_epi32(least, 0x4e));
    least = _mm_min_epi32(least, _mm_shuffle_epi32(least, 0xb1));
    return _mm_cvtsi128_si32(least);
}
inline std::int32_t greatest_of(Lanes a)
{
    auto most = _mm_max_epi32(_mm256_castsi256_si128(a.v), _mm256_extracti128_si256(a.v, 1));
    most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0x4e));
    most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0xb1));
    return _mm_cvtsi128_si32(most);
}

inline LaneSet negated(LaneSet s) { return {_mm256_xor_si256(s.v, _mm256_set1_epi32(-1))}; }
inline LaneSet equal(Lanes a, Lanes b) { return {_mm256_cmpeq_epi32(a.v, b.v)}; }
inline LaneSet more(Lanes a, Lanes b) { return {_mm256_cmpgt_epi32(a.v, b.v)}; }
inline LaneSet less(Lanes a, Lanes b) { return more(b, a); }
inline LaneSet at_most(Lanes a, Lanes b) { return negated(more(a, b)); }
inline LaneSet at_least(Lanes a, Lanes b) { return negated(more(b, a)); }
inline LaneSet not_zero(Lanes a) { return negated(equal(a, Lanes::zero())); }
inline LaneSet equal(LaneSet s, Lanes a, Lanes b) { return s & equal(a, b); }
inline LaneSet at_most(LaneSet s, Lanes a, Lanes b) { return without(s, more(a, b)); }
inline LaneSet more(LaneSet s, Lanes a, Lanes b) { return s & more(a, b); }
inline LaneSet at_least(LaneSet s, Lanes a, Lanes b) { return without(s, more(b, a)); }
inline LaneSet less_unsigned(LaneSet s, Lanes a, Lanes b)
{
    auto const flip = _mm256_set1_epi32(INT32_MIN);
    return more(s, {_mm256_xor_si256(b.v, flip)}, {_mm256_xor_si256(a.v, flip)});
}

inline Lanes shifted_in(Lanes lower, Lanes upper)
{
    auto const between = _mm256_permute2x128_si256(lower.v, upper.v, 0x21);
    return {_mm256_alignr_epi8(upper.v, between, 12)};
}

inline Lanes choose(LaneSet s, Lanes a, Lanes b) { return {_mm256_blendv_epi8(b.v, a.v, s.v)}; }
inline Lanes and_where(LaneSet s, Lanes a, Lanes b, Lanes c) { return choose(s, a & b, c); }
inline Lanes or_zero(LaneSet s, Lanes a) { return {_mm256_and_si256(s.v, a.v)}; }
inline Lanes sum_or_zero(LaneSet s, Lanes a, Lanes b) { return or_zero(s, a + b); }
inline Lanes add_where(LaneSet s, Lanes a, Lanes b) { return a + or_zero(s, b); }
inline Lanes count_where(LaneSet s, Lanes a) { return a - Lanes{s.v}; }
inline Lanes larger_where(LaneSet s, Lanes a, Lanes b) { return choose(s, larger(a, b), a); }
inline Lanes larger_unsigned_where(LaneSet s, Lanes a, Lanes b)
{
    return choose(s, {_mm256_max_epu32(a.v, b.v)}, a);
}

inline void store_where(LaneSet s, void* to, Lanes a)
{
    store_anywhere(to, choose(s, a, Lanes::load_anywhere(to)));
}

// Loads one by one: gathers are no faster on many processors that have AVX2 alone.

inline Lanes gather(LaneSet s, std::uint32_t const* from, Lanes index)
{
    alignas(32) std::int32_t at[Lanes::count];
    store(at, or_zero(s, index));
    auto const of = [&](int lane) { return static_cast<int>(from[at[lane]]); };
    return {_mm256_setr_epi32(of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7))};
}
inline Lanes scaled_words(LaneSet, std::uint32_t const* upper, std::int32_t const* at, Lanes count,
                          LaneSet& again)
{
    auto const of = [&](int lane) { return static_cast<int>(upper[at[lane]]); };
    auto const word = _mm256_setr_epi32(of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7));
    auto const even = _mm256_mul_epu32(word, count.v);
    auto const odd = _mm256_mul_epu32(_mm256_srli_epi64(word, 32), _mm256_srli_epi64(count.v, 32));
    auto const low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
    auto const sum = _mm256_add_epi32(low, count.v);
    again = equal({_mm256_min_epu32(sum, count.v)}, {sum});
    return {_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa)};
}
inline void store_high_halves(std::uint64_t const* words, std::uint32_t* to, int count)
{
    for (int k = 0; k < count; ++k) to[k] = static_cast<std::uint32_t>(words[k] >> 32);
}

} // namespace
} // namespace crx
