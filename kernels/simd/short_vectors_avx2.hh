#pragma once

#include "kernels/simd/lane_vectors.cuh"

// CPU only. Included by short_vectors.hh alone. What each of these does is said in
// short_vectors_avx512.hh.
namespace crx {
namespace {

struct ShortSet;

struct ShortLanes
{
    using Number = std::int16_t;
    using Set = ShortSet;
    static constexpr int count = 16, parts = count / Lanes::count;
    __m256i v;

    static ShortLanes zero() { return {_mm256_setzero_si256()}; }
    static ShortLanes all(int value) { return {_mm256_set1_epi16(static_cast<short>(value))}; }
    static ShortLanes load(void const* from)
    {
        return {_mm256_load_si256(static_cast<__m256i const*>(from))};
    }
};
/// Some of the lanes: all bits of theirs are set, none of others.
struct ShortSet
{
    __m256i v;

    static ShortSet of(unsigned bits)
    {
        auto const own = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                           8192, 16384, INT16_MIN);
        auto const all = _mm256_set1_epi16(static_cast<short>(bits));
        return {_mm256_cmpeq_epi16(_mm256_and_si256(all, own), own)};
    }
};
inline unsigned bits_of(ShortSet s)
{
    auto const bytes =
        _mm_packs_epi16(_mm256_castsi256_si128(s.v), _mm256_extracti128_si256(s.v, 1));
    return static_cast<unsigned>(_mm_movemask_epi8(bytes));
}
inline ShortSet operator|(ShortSet a, ShortSet b) { return {_mm256_or_si256(a.v, b.v)}; }
inline ShortSet operator&(ShortSet a, ShortSet b) { return {_mm256_and_si256(a.v, b.v)}; }
inline ShortSet without(ShortSet a, ShortSet b) { return {_mm256_andnot_si256(b.v, a.v)}; }

inline void store(void* to, ShortLanes a) { _mm256_store_si256(static_cast<__m256i*>(to), a.v); }

inline ShortLanes operator+(ShortLanes a, ShortLanes b) { return {_mm256_add_epi16(a.v, b.v)}; }
inline ShortLanes operator-(ShortLanes a, ShortLanes b) { return {_mm256_sub_epi16(a.v, b.v)}; }
inline ShortLanes operator*(ShortLanes a, ShortLanes b) { return {_mm256_mullo_epi16(a.v, b.v)}; }
inline ShortLanes operator^(ShortLanes a, ShortLanes b) { return {_mm256_xor_si256(a.v, b.v)}; }
inline ShortLanes smaller(ShortLanes a, ShortLanes b) { return {_mm256_min_epi16(a.v, b.v)}; }
inline ShortLanes larger(ShortLanes a, ShortLanes b) { return {_mm256_max_epi16(a.v, b.v)}; }

inline ShortSet negated(ShortSet s) { return {_mm256_xor_si256(s.v, _mm256_set1_epi32(-1))}; }
inline ShortSet equal(ShortLanes a, ShortLanes b) { return {_mm256_cmpeq_epi16(a.v, b.v)}; }
inline ShortSet more(ShortLanes a, ShortLanes b) { return {_mm256_cmpgt_epi16(a.v, b.v)}; }
inline ShortSet less(ShortLanes a, ShortLanes b) { return more(b, a); }
inline ShortSet at_most(ShortLanes a, ShortLanes b) { return negated(more(a, b)); }
inline ShortSet not_zero(ShortLanes a) { return negated(equal(a, ShortLanes::zero())); }
inline ShortSet equal(ShortSet s, ShortLanes a, ShortLanes b) { return s & equal(a, b); }
inline ShortSet at_most(ShortSet s, ShortLanes a, ShortLanes b) { return without(s, more(a, b)); }
inline ShortSet more(ShortSet s, ShortLanes a, ShortLanes b) { return s & more(a, b); }
inline ShortSet at_least(ShortSet s, ShortLanes a, ShortLanes b) { return without(s, more(b, a)); }

inline ShortLanes choose(ShortSet s, ShortLanes a, ShortLanes b)
{
    return {_mm256_blendv_epi8(b.v, a.v, s.v)};
}
inline ShortLanes or_zero(ShortSet s, ShortLanes a) { return {_mm256_and_si256(s.v, a.v)}; }
inline ShortLanes add_where(ShortSet s, ShortLanes a, ShortLanes b) { return a + or_zero(s, b); }
inline ShortLanes count_where(ShortSet s, ShortLanes a) { return a - ShortLanes{s.v}; }
inline ShortLanes larger_where(ShortSet s, ShortLanes a, ShortLanes b)
{
    return choose(s, larger(a, b), a);
}
inline ShortLanes larger_unsigned_where(ShortSet s, ShortLanes a, ShortLanes b)
{
    return choose(s, {_mm256_max_epu16(a.v, b.v)}, a);
}

template <int part>
inline Lanes part_of(ShortLanes a)
{
    return {_mm256_cvtepu16_epi32(_mm256_extracti128_si256(a.v, part))};
}
template <int part>
inline LaneSet part_of(ShortSet s)
{
    return {_mm256_cvtepi16_epi32(_mm256_extracti128_si256(s.v, part))};
}
inline ShortLanes joined(Lanes const (&parts)[ShortLanes::parts])
{
    return {_mm256_permute4x64_epi64(_mm256_packus_epi32(parts[0].v, parts[1].v), 0xd8)};
}
inline ShortSet joined(LaneSet const (&parts)[ShortLanes::parts])
{
    return {_mm256_permute4x64_epi64(_mm256_packs_epi32(parts[0].v, parts[1].v), 0xd8)};
}

// By floats, which is exact: a quotient of two 16-bit integers that is no integer is further from
// the next one than a float is wrong.
inline ShortLanes quotients(ShortLanes a, ShortLanes b)
{
    auto const by_floats = [](Lanes x, Lanes y) {
        return Lanes{
            _mm256_cvttps_epi32(_mm256_div_ps(_mm256_cvtepi32_ps(x.v), _mm256_cvtepi32_ps(y.v)))};
    };
    return joined(
        {by_floats(part_of<0>(a), part_of<0>(b)), by_floats(part_of<1>(a), part_of<1>(b))});
}
inline std::int32_t least_of(ShortLanes a)
{
    auto const least = _mm_minpos_epu16(
        _mm_min_epu16(_mm256_castsi256_si128(a.v), _mm256_extracti128_si256(a.v, 1)));
    return _mm_cvtsi128_si32(least) & 0xffff;
}
inline std::int32_t least_below_64k(Lanes a)
{
    auto const least = _mm_minpos_epu16(
        _mm_packus_epi32(_mm256_castsi256_si128(a.v), _mm256_extracti128_si256(a.v, 1)));
    return _mm_cvtsi128_si32(least) & 0xffff;
}

} // namespace
} // namespace crx
