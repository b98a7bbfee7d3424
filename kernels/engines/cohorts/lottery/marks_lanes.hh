#pragma once

#include "kernels/random/counted_rows.hh"
#include "kernels/simd/lane_numbers.hh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

#if CRX_LANE_BYTES == 64
/// How many of each lane's lower 32 bits are set at or above place mod 32. Contract: others are 0.
template <class Signed>
CRX_IN_LANES Signed bits_from(__m512i bits, __m512i place)
{
    constexpr bool narrow = sizeof(Signed{}[0]) == 4;
    if constexpr (narrow)
        bits =
            _mm512_maskz_srlv_epi32(0xffff, bits, _mm512_and_si512(place, _mm512_set1_epi32(31)));
    else
        bits = _mm512_maskz_srlv_epi64(0xff, bits, _mm512_and_si512(place, _mm512_set1_epi64(31)));
    auto const of_nibble =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    auto const nibble = _mm512_set1_epi8(0x0f);
    auto const of_byte = _mm512_add_epi8(
        _mm512_shuffle_epi8(of_nibble, _mm512_and_si512(bits, nibble)),
        _mm512_shuffle_epi8(of_nibble, _mm512_and_si512(_mm512_srli_epi16(bits, 4), nibble)));
    if constexpr (narrow)
        return reinterpret_cast<Signed>(_mm512_madd_epi16(
            _mm512_maddubs_epi16(of_byte, _mm512_set1_epi8(1)), _mm512_set1_epi16(1)));
    else
        return reinterpret_cast<Signed>(_mm512_sad_epu8(of_byte, _mm512_setzero_si512()));
}
#endif

/// Marks before place[j] of the open block of lane j, for all lanes. `first`: where a lane's
/// counted rows (CountedRows) begin, in words from `counted` on.
/// Contract: 0 <= place <= the block's size; counted words are fewer than 2^31.
template <class Signed>
CRX_IN_LANES Signed marks_before(std::uint64_t const* counted, Signed const& first,
                                 Signed const& place)
{
#if CRX_LANE_BYTES == 64
    // Bits of half a row, and the marks up to its end, in lanes of their own.
    auto const row = reinterpret_cast<__m512i>(first + (place >> 5));
    auto const at = reinterpret_cast<__m512i>(place);
    if constexpr (sizeof(place[0]) == 4) {
        // Eight words at a time: a gather takes as long as it has lanes.
        auto const none = _mm512_setzero_si512();
        auto const low =
            _mm512_mask_i32gather_epi64(none, 0xff, _mm512_castsi512_si256(row), counted, 8);
        auto const high = _mm512_mask_i32gather_epi64(
            none, 0xff, _mm512_maskz_extracti64x4_epi64(0xf, row, 1), counted, 8);
        auto const even =
            _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        auto const odd =
            _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        auto const bits = _mm512_permutex2var_epi32(low, even, high);
        auto const through = _mm512_permutex2var_epi32(low, odd, high);
        return reinterpret_cast<Signed>(through) - bits_from<Signed>(bits, at);
    } else {
        auto const words =
            _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), 0xff, row, counted, 8);
        auto const bits = _mm512_and_si512(words, _mm512_set1_epi64(0xffffffff));
        return reinterpret_cast<Signed>(_mm512_maskz_srli_epi64(0xff, words, 32)) -
               bits_from<Signed>(bits, at);
    }
#else
    // Lane by lane: gathers are not faster here.
    Signed marks;
    for (int j = 0; j < static_cast<int>(sizeof marks / sizeof marks[0]); ++j) {
        auto const at = static_cast<std::uint64_t>(place[j]);
        auto const half = counted[static_cast<std::uint64_t>(first[j]) + at / 32];
        marks[j] = static_cast<decltype(+marks[0])>(
            (half >> 32) -
            static_cast<std::uint64_t>(count_bits(static_cast<std::uint32_t>(half) >> at % 32)));
    }
    return marks;
#endif
}

} // namespace
} // namespace crx
