#pragma once

#include "kernels/simd/lane_vectors.cuh"

// CPU only. Included by short_vectors.hh alone.
namespace crx {
namespace {

struct ShortSet;

/// 32 integers of 16 bits, a lane each. Sums, differences and products are modulo 2^16.
struct ShortLanes
{
    using Number = std::int16_t;
    using Set = ShortSet;
    static constexpr int count = 32, parts = count / Lanes::count;
    __m512i v;

    static ShortLanes zero() { return {_mm512_setzero_si512()}; }
    static ShortLanes all(int value) { return {_mm512_set1_epi16(static_cast<short>(value))}; }
    /// From a multiple of 64 bytes.
    static ShortLanes load(void const* from) { return {_mm512_load_si512(from)}; }
};
/// Some of the lanes.
struct ShortSet
{
    __mmask32 v;

    static ShortSet of(unsigned bits) { return {bits}; }
};
inline unsigned bits_of(ShortSet s) { return s.v; }
inline ShortSet operator|(ShortSet a, ShortSet b) { return {a.v | b.v}; }
inline ShortSet operator&(ShortSet a, ShortSet b) { return {a.v & b.v}; }
inline ShortSet without(ShortSet a, ShortSet b) { return {a.v & ~b.v}; }

inline void store(void* to, ShortLanes a) { _mm512_store_si512(to, a.v); }

inline ShortLanes operator+(ShortLanes a, ShortLanes b) { return {_mm512_add_epi16(a.v, b.v)}; }
inline ShortLanes operator-(ShortLanes a, ShortLanes b) { return {_mm512_sub_epi16(a.v, b.v)}; }
inline ShortLanes operator*(ShortLanes a, ShortLanes b) { return {_mm512_mullo_epi16(a.v, b.v)}; }
inline ShortLanes operator^(ShortLanes a, ShortLanes b) { return {_mm512_xor_si512(a.v, b.v)}; }
inline ShortLanes smaller(ShortLanes a, ShortLanes b) { return {_mm512_min_epi16(a.v, b.v)}; }
inline ShortLanes larger(ShortLanes a, ShortLanes b) { return {_mm512_max_epi16(a.v, b.v)}; }

inline ShortSet equal(ShortLanes a, ShortLanes b) { return {_mm512_cmpeq_epi16_mask(a.v, b.v)}; }
inline ShortSet less(ShortLanes a, ShortLanes b) { return {_mm512_cmplt_epi16_mask(a.v, b.v)}; }
inline ShortSet at_most(ShortLanes a, ShortLanes b) { return {_mm512_cmple_epi16_mask(a.v, b.v)}; }
inline ShortSet more(ShortLanes a, ShortLanes b) { return {_mm512_cmpgt_epi16_mask(a.v, b.v)}; }
inline ShortSet not_zero(ShortLanes a) { return {_mm512_test_epi16_mask(a.v, a.v)}; }
inline ShortSet equal(ShortSet s, ShortLanes a, ShortLanes b)
{
    return {_mm512_mask_cmpeq_epi16_mask(s.v, a.v, b.v)};
}
inline ShortSet at_most(ShortSet s, ShortLanes a, ShortLanes b)
{
    return {_mm512_mask_cmple_epi16_mask(s.v, a.v, b.v)};
}
inline ShortSet more(ShortSet s, ShortLanes a, ShortLanes b)
{
    return {_mm512_mask_cmpgt_epi16_mask(s.v, a.v, b.v)};
}
inline ShortSet at_least(ShortSet s, ShortLanes a, ShortLanes b)
{
    return {_mm512_mask_cmpge_epi16_mask(s.v, a.v, b.v)};
}

inline ShortLanes choose(ShortSet s, ShortLanes a, ShortLanes b)
{
    return {_mm512_mask_mov_epi16(b.v, s.v, a.v)};
}
inline ShortLanes or_zero(ShortSet s, ShortLanes a) { return {_mm512_maskz_mov_epi16(s.v, a.v)}; }
inline ShortLanes add_where(ShortSet s, ShortLanes a, ShortLanes b)
{
    return {_mm512_mask_add_epi16(a.v, s.v, a.v, b.v)};
}
inline ShortLanes count_where(ShortSet s, ShortLanes a)
{
    return {_mm512_mask_add_epi16(a.v, s.v, a.v, _mm512_set1_epi16(1))};
}
inline ShortLanes larger_where(ShortSet s, ShortLanes a, ShortLanes b)
{
    return {_mm512_mask_max_epi16(a.v, s.v, a.v, b.v)};
}
inline ShortLanes larger_unsigned_where(ShortSet s, ShortLanes a, ShortLanes b)
{
    return {_mm512_mask_max_epu16(a.v, s.v, a.v, b.v)};
}

/// The lanes of one part, numbers >= 0.
template <int part>
inline Lanes part_of(ShortLanes a)
{
    return {_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(a.v, part))};
}
template <int part>
inline LaneSet part_of(ShortSet s)
{
    return {static_cast<__mmask16>(s.v >> part * Lanes::count)};
}
/// The other way round; numbers below 2^16.
inline ShortLanes joined(Lanes const (&parts)[ShortLanes::parts])
{
    return {_mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(parts[0].v)),
                               _mm512_cvtepi32_epi16(parts[1].v), 1)};
}
inline ShortSet joined(LaneSet const (&parts)[ShortLanes::parts])
{
    return {bits_of(parts[0]) | bits_of(parts[1]) << Lanes::count};
}

/// 2^16 / b rounded down for b = 1, 2, .. 64, of 1 one less.
struct alignas(64) Reciprocals
{
    std::uint16_t of[64];
    constexpr Reciprocals() : of()
    {
        for (int b = 1; b <= 64; ++b)
            of[b - 1] = static_cast<std::uint16_t>(b == 1 ? 0xffff : 0x10000 / b);
    }
};
inline constexpr Reciprocals reciprocals;

/// Quotients rounded down of numbers >= 0 by 1 to 64; means nothing for others.
inline ShortLanes quotients(ShortLanes a, ShortLanes b)
{
    auto const at = _mm512_sub_epi16(b.v, _mm512_set1_epi16(1));
    auto const reciprocal = _mm512_permutex2var_epi16(_mm512_load_si512(reciprocals.of), at,
                                                      _mm512_load_si512(reciprocals.of + 32));
    // Too small by at most a / 2^16, so by at most one.
    ShortLanes const found{_mm512_mulhi_epu16(a.v, reciprocal)};
    auto const left = a - found * b;
    return count_where(without(ShortSet{~__mmask32{0}}, less(left, b)), found);
}
/// The least of numbers >= 0.
inline std::int32_t least_of(ShortLanes a)
{
    auto const half =
        _mm256_min_epu16(_mm512_castsi512_si256(a.v), _mm512_extracti64x4_epi64(a.v, 1));
    auto const least = _mm_minpos_epu16(
        _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)));
    return _mm_cvtsi128_si32(least) & 0xffff;
}
/// The least of numbers >= 0, or 2^16 - 1 if that is less.
inline std::int32_t least_below_64k(Lanes a)
{
    auto const half = _mm512_cvtusepi32_epi16(a.v);
    auto const least = _mm_minpos_epu16(
        _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)));
    return _mm_cvtsi128_si32(least) & 0xffff;
}

} // namespace
} // namespace crx
