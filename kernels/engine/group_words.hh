#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/random/buffered_words.hh"

#include <algorithm>
#include <immintrin.h>

// CPU only. Included by few_group.cc alone, which says for what processors it is compiled.
namespace crx {
namespace {

/// The words of one stream of sixteen instances, each at a place of its own.
class GroupWords
{
  public:
    static constexpr int lanes = 16;

    GroupWords(std::uint64_t seed, std::uint32_t stream, std::uint64_t first)
        : seed_(seed), first_(first), stream_(stream)
    {
        for (int k = 0; k < lanes; ++k) at_[k] = (k + 1) * made;
        std::ranges::fill(block_, 0);
    }

    /// What WordStream::bounded would give in each lane of `set`, with the counts given; `again`:
    /// where it must be asked. No word counts as used yet.
    __m512i propose(__mmask16 set, __m512i count, __mmask16& again)
    {
        auto at = _mm512_load_si512(at_);
        if (auto const empty = _mm512_mask_cmpeq_epi32_mask(set, at, _mm512_load_si512(end_));
            empty != 0) {
            for (unsigned rest = empty; rest != 0; rest &= rest - 1) refill(lowest_bit(rest));
            at = _mm512_load_si512(at_);
        }
        __mmask8 low_again, high_again;
        auto const low = bounded_8(_mm512_castsi512_si256(at), static_cast<__mmask8>(set),
                                   _mm512_castsi512_si256(count), low_again);
        auto const high =
            bounded_8(_mm512_extracti64x4_epi64(at, 1), static_cast<__mmask8>(set >> 8),
                      _mm512_extracti64x4_epi64(count, 1), high_again);
        again = static_cast<__mmask16>(low_again | high_again << 8);
        return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    }
    /// What was proposed in these lanes is drawn: of 1 no word is used.
    void use(__mmask16 set, __m512i count)
    {
        auto const at = _mm512_load_si512(at_), one = _mm512_set1_epi32(1);
        auto const used = _mm512_mask_cmpgt_epi32_mask(set, count, one);
        _mm512_store_si512(at_, _mm512_mask_add_epi32(at, used, at, one));
    }
    /// WordStream::bounded of one lane.
    std::uint64_t bounded(int lane, std::uint64_t count)
    {
        struct Words
        {
            GroupWords& all;
            int lane;
            std::uint64_t next() { return all.next(lane); }
        } words{*this, lane};
        return bounded_draw(words, count);
    }

  private:
    static constexpr int made = 32; ///< words of a lane that are made at a time

    std::uint64_t next(int lane)
    {
        if (at_[lane] == end_[lane]) refill(lane);
        return words_[at_[lane]++];
    }
    void refill(int lane)
    {
        philox_words(seed_, stream_, first_ + static_cast<std::uint64_t>(lane), block_[lane],
                     made / 2, words_ + lane * made);
        block_[lane] += made / 2;
        at_[lane] = lane * made;
    }

    /// The high 64 bits of word times count in the lanes of `set`; `again`: where the low ones are
    /// below the count, which 1 never has to ask for.
    __m256i bounded_8(__m256i at, __mmask8 set, __m256i count_32, __mmask8& again) const
    {
        auto const word = _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), set, at, words_, 8);
        auto const count = _mm512_cvtepu32_epi64(count_32);
        auto const low = _mm512_mul_epu32(word, count);
        auto const sum = _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64(word, 32), count),
                                          _mm512_srli_epi64(low, 32));
        auto const rest = _mm512_mask_blend_epi32(0x5555, _mm512_slli_epi64(sum, 32), low);
        again = _mm512_mask_cmplt_epu64_mask(
            _mm512_mask_cmpgt_epu64_mask(set, count, _mm512_set1_epi64(1)), rest, count);
        return _mm512_cvtepi64_epi32(_mm512_srli_epi64(sum, 32));
    }

    std::uint64_t seed_, first_, block_[lanes];
    std::uint32_t stream_;
    alignas(64) std::int32_t at_[lanes]; ///< the next word
    alignas(64) std::int32_t const end_[lanes] = {
        1 * made, 2 * made,  3 * made,  4 * made,  5 * made,  6 * made,  7 * made,  8 * made,
        9 * made, 10 * made, 11 * made, 12 * made, 13 * made, 14 * made, 15 * made, 16 * made};
    alignas(64) std::uint64_t words_[lanes * made];
};

} // namespace
} // namespace crx
