#pragma once

#include "kernels/random/counted_rows.hh"
#include "kernels/simd/lane_numbers.hh"

// For sources *_simd.cc.

namespace crx {
namespace {

#if HWY_TARGET == HWY_AVX3
/// How many of each lane's lower 32 bits are set at or above place mod 32. Contract: others are 0.
template <class I>
CRX_IN_LANES Lanes<I> bits_from(Lanes<I> bits, Lanes<I> place)
{
    auto const of_nibble =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    auto const nibble = _mm512_set1_epi8(0x0f);
    auto const left = hn::Shr(bits.v, (place & 31).v).raw;
    auto const of_byte = _mm512_add_epi8(
        _mm512_shuffle_epi8(of_nibble, _mm512_and_si512(left, nibble)),
        _mm512_shuffle_epi8(of_nibble, _mm512_and_si512(_mm512_srli_epi16(left, 4), nibble)));
    if constexpr (sizeof(I) == 4)
        return {decltype(bits.v){_mm512_madd_epi16(
            _mm512_maddubs_epi16(of_byte, _mm512_set1_epi8(1)), _mm512_set1_epi16(1))}};
    else
        return {decltype(bits.v){_mm512_sad_epu8(of_byte, _mm512_setzero_si512())}};
}
#endif

/// Marks before place[j] of the open block of lane j, for all lanes. `first`: where a lane's
/// counted rows (CountedRows) begin, in words from `counted` on.
/// Contract: 0 <= place <= the block's size; counted words are fewer than 2^31.
template <class I>
CRX_IN_LANES Lanes<I> marks_before(std::uint64_t const* counted, Lanes<I> const& first,
                                   Lanes<I> const& place)
{
#if HWY_TARGET == HWY_AVX3
    // Bits of half a row, and the marks up to its end, in lanes of their own.
    auto const row = (first + shifted_right<5>(place)).v.raw;
    auto const none = _mm512_setzero_si512();
    if constexpr (sizeof(I) == 4) {
        // Eight words at a time: a gather takes as long as it has lanes.
        using Halves = Lanes<std::uint32_t>;
        Halves const low{decltype(Halves::v){
            _mm512_mask_i32gather_epi64(none, 0xff, _mm512_castsi512_si256(row), counted, 8)}};
        Halves const high{decltype(Halves::v){_mm512_mask_i32gather_epi64(
            none, 0xff, _mm512_extracti64x4_epi64(row, 1), counted, 8)}};
        Halves const bits{hn::ConcatEven(Halves::Tag(), high.v, low.v)};
        Halves const through{hn::ConcatOdd(Halves::Tag(), high.v, low.v)};
        return same_bits<I>(through - bits_from(bits, same_bits<std::uint32_t>(place)));
    } else {
        using Words = Lanes<std::uint64_t>;
        Words const words{
            decltype(Words::v){_mm512_mask_i64gather_epi64(none, 0xff, row, counted, 8)}};
        return same_bits<I>(shifted_right<32>(words) -
                            bits_from(words & 0xffffffff, same_bits<std::uint64_t>(place)));
    }
#else
    // Lane by lane: gathers are not faster here.
    using Numbers [[gnu::vector_size(HWY_MAX_BYTES)]] = I;
    auto const places = reinterpret_cast<Numbers>(place.v.raw);
    auto const marks = [&](int j) CRX_LAMBDA_IN_LANES {
        auto const at = static_cast<std::uint64_t>(places[j]);
        auto const half = counted[static_cast<std::uint64_t>(first[j]) + at / 32];
        return static_cast<I>((half >> 32) - static_cast<std::uint64_t>(count_bits(
                                                 static_cast<std::uint32_t>(half) >> at % 32)));
    };
    if constexpr (sizeof(I) == 4)
        return {decltype(place.v){_mm256_setr_epi32(marks(0), marks(1), marks(2), marks(3),
                                                    marks(4), marks(5), marks(6), marks(7))}};
    else
        return {decltype(place.v){_mm256_setr_epi64x(marks(0), marks(1), marks(2), marks(3))}};
#endif
}

} // namespace
} // namespace crx
