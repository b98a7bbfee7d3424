#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/bits.cuh"
#include "kernels/engines/iterations/iteration_model.cuh"
#include "kernels/random/word_stream.cuh"

#ifndef __CUDACC__
#include "kernels/random/buffered_words.hh"
#endif

namespace crx {

/// Law of the number of arrivals in a block of 2^bits nanoseconds, as a table.
struct BlockLaw
{
    static constexpr int most = 256; ///< arrivals; more have probability below 2^-64
    static constexpr int sets = most / 64;
    std::int32_t bits = 0;
    std::int32_t likely_sets = 1; ///< sets of 64 that the mean fills
    std::uint8_t guide[256];      ///< least n that a word with this leading byte can give
    /// n arrivals for the least n with word < threshold[n], else `most`.
    std::uint64_t threshold[most];

    CRX_HD int number(std::uint64_t word) const
    {
        int n = guide[word >> 56];
        while (n < most && word >= threshold[n]) ++n;
        return n;
    }
};

/// Philox blocks first .. first + blocks - 1 of a stream as words; room for 16 words more than
/// `blocks` give. Contract: first + blocks <= 2^32 - 8.
CRX_HD inline void draw_words(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance,
                              std::uint64_t first, int blocks, std::uint64_t* words)
{
    CRX_EXPECT(first + static_cast<std::uint64_t>(blocks) + 8 <= std::uint64_t{1} << 32);
#ifdef __CUDACC__
    for (int d = 0; d < blocks; ++d) {
        auto const block =
            philox_block(seed, static_cast<std::uint32_t>(first) + d, stream, instance);
        words[2 * d] = block.v[0] | std::uint64_t{block.v[1]} << 32;
        words[2 * d + 1] = block.v[2] | std::uint64_t{block.v[3]} << 32;
    }
#else
    philox_words(seed, stream, instance, first, (blocks + 7) / 8 * 8, words);
#endif
}

/// Number and sum of the times, from the block's beginning, of some arrivals.
struct ArrivalSum
{
    std::int64_t count = 0;
    Unsigned128 time = 0;
};

/// The arrivals of one type in one block, in no order: their number is Poisson and their times are
/// independent and uniform, so bit b of all times is a row of fair coins.
///
/// Arrivals come in sets of 64. Of the words of a set (an even number), word 1 + i is the row of
/// bit `bits`-1-i of its 64 times; word 0 of the first set gives the number of arrivals
/// (docs/random-choices.md). On rows a sum, a count up to an instant and the k-th time cost a few
/// operations a bit for 64 arrivals at once.
class ArrivalBlock
{
  public:
    CRX_HD void take(Arena& arena, std::int32_t bits)
    {
        bits_ = bits;
        set_words_ = (bits + 2) / 2 * 2;
        words_ = arena.take<std::uint64_t>(BlockLaw::sets * set_words_ + 16);
    }

    /// Draws the block with that number.
    CRX_HD void draw(BlockLaw const& law, std::uint64_t seed, std::uint32_t stream,
                     std::uint64_t instance, std::uint64_t number)
    {
        auto const half = set_words_ / 2; // Philox blocks of a set
        auto const first = number * static_cast<std::uint64_t>(BlockLaw::sets * half);
        draw_words(seed, stream, instance, first, law.likely_sets * half, words_);
        drawn_ = count_ = law.number(words_[0]);
        sets_ = (drawn_ + 63) / 64;
        if (sets_ > law.likely_sets)
            draw_words(seed, stream, instance,
                       first + static_cast<std::uint64_t>(law.likely_sets * half),
                       (sets_ - law.likely_sets) * half, words_ + law.likely_sets * set_words_);
        for (int k = 0; k < sets_; ++k) keep_[k] = ~std::uint64_t{0};
        if (drawn_ % 64 != 0) keep_[sets_ - 1] = (std::uint64_t{1} << drawn_ % 64) - 1;
    }

    CRX_HD int count() const { return count_; }
    /// Arrivals that were drawn; those that thinning takes away among them.
    CRX_HD int drawn() const { return drawn_; }
    CRX_HD bool kept(int place) const { return (keep_[place / 64] >> place % 64 & 1) != 0; }
    /// Takes an arrival away. Contract: it is kept.
    CRX_HD void remove(int place)
    {
        keep_[place / 64] &= ~(std::uint64_t{1} << place % 64);
        --count_;
    }

    CRX_HD ArrivalSum sum() const
    {
        ArrivalSum out;
        for (int k = 0; k < sets_; ++k) add(out, k, keep_[k]);
        return out;
    }

    /// Of the arrivals not later than `last` nanoseconds from the block's beginning.
    CRX_HD ArrivalSum sum_until(std::uint64_t last) const
    {
        ArrivalSum out;
        for (int k = 0; k < sets_; ++k) {
            auto equal = keep_[k];
            std::uint64_t before = 0;
            for (int i = 0; i < bits_; ++i) {
                auto const row = rows(k)[i];
                auto const one = (last >> (bits_ - 1 - i) & 1) != 0;
                before |= one ? equal & ~row : 0;
                equal &= one ? row : ~row;
            }
            add(out, k, before | equal);
        }
        return out;
    }

    /// Time of arrival number r in order of time, from 0. Contract: r < count().
    CRX_HD std::uint64_t nth(int r) const
    {
        switch (sets_) {
        case 1: return nth_of<1>(r);
        case 2: return nth_of<2>(r);
        case 3: return nth_of<3>(r);
        default: return nth_of<BlockLaw::sets>(r);
        }
    }

    /// Times of all that were drawn, by their places. Room for `BlockLaw::most`.
    CRX_HD void times(std::uint64_t* out) const
    {
        for (int set = 0; set < sets_; ++set, out += 64) {
            for (int i = 0; i < 64; ++i) out[i] = 0;
            auto const* row = rows(set);
            for (auto left = bits_; left > 0; left -= 8, row += 8) { // eight rows at a time
                std::uint64_t square[8]; // byte 7-i of number q: row i of arrivals 8q .. 8q+7
                for (int i = 0; i < 8; ++i) square[7 - i] = row[i]; // some may be past the last
                swap_parts<4>(square);
                swap_parts<2>(square);
                swap_parts<1>(square);
                for (auto& x : square) x = transposed(x);
                auto const* const bytes = reinterpret_cast<unsigned char const*>(square);
                auto const taken = left < 8 ? left : 8;
#ifdef __CUDA_ARCH__
#pragma unroll 8 // of itself nvcc loads all 64 first, for which it spills
#endif
                for (int i = 0; i < 64; ++i) // little-endian
                    out[i] = out[i] << taken | std::uint64_t{bytes[i]} >> (8 - taken);
            }
        }
    }

  private:
    CRX_HD std::uint64_t const* rows(int set) const { return words_ + set * set_words_ + 1; }

    CRX_HD void add(ArrivalSum& to, int set, std::uint64_t which) const
    {
        auto const* const row = rows(set);
        constexpr int short_bits = 57; // 64 times of so many bits have a sum below 2^63
        std::uint64_t sum = 0;
        int i = 0;
        for (; i < bits_ && i < short_bits; ++i)
            sum = 2 * sum + static_cast<unsigned>(count_bits(row[i] & which));
        Unsigned128 whole = sum;
        for (; i < bits_; ++i)
            whole = 2 * whole + static_cast<unsigned>(count_bits(row[i] & which));
        to.count += count_bits(which);
        to.time += whole;
    }

    template <int sets>
    CRX_HD std::uint64_t nth_of(int r) const
    {
        std::uint64_t left[sets], time = 0;
        for (int k = 0; k < sets; ++k) left[k] = k < sets_ ? keep_[k] : 0;
        int i = 0, count = count_;
        for (; i < bits_ && count > 1; ++i) {
            int zeros = 0;
            for (int k = 0; k < sets; ++k) zeros += count_bits(left[k] & ~rows(k)[i]);
            bool const one = r >= zeros;
            for (int k = 0; k < sets; ++k) left[k] &= one ? rows(k)[i] : ~rows(k)[i];
            r -= one ? zeros : 0;
            count = one ? count - zeros : zeros;
            time = 2 * time + (one ? 1 : 0);
        }
        // One is left, or all that are left are equal.
        auto one = left[sets - 1];
        auto const* row = rows(sets - 1);
        for (int k = sets - 2; k >= 0; --k) {
            row = left[k] != 0 ? rows(k) : row;
            one = left[k] != 0 ? left[k] : one;
        }
        auto const at = lowest_bit(one);
        for (; i < bits_; ++i) time = 2 * time + (row[i] >> at & 1);
        return time;
    }

    /// In numbers k and k + `bytes` swaps the high `bytes` bytes of each group of 2 `bytes` of the
    /// one with the low ones of the other. After 4, 2 and 1 the 8 x 8 bytes are transposed.
    template <int bytes>
    CRX_HD static void swap_parts(std::uint64_t* words)
    {
        constexpr std::uint64_t low = bytes == 4   ? 0x00000000ffffffff
                                      : bytes == 2 ? 0x0000ffff0000ffff
                                                   : 0x00ff00ff00ff00ff;
        for (int k = 0; k < 8; ++k) {
            if ((k & bytes) != 0) continue;
            auto const t = (words[k] >> 8 * bytes ^ words[k + bytes]) & low;
            words[k] ^= t << 8 * bytes;
            words[k + bytes] ^= t;
        }
    }

    /// Bit i of byte k goes to bit k of byte i (Warren 2013, Hacker's Delight, section 7-3).
    CRX_HD static std::uint64_t transposed(std::uint64_t x)
    {
        auto t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aa;
        x ^= t ^ (t << 7);
        t = (x ^ (x >> 14)) & 0x0000cccc0000cccc;
        x ^= t ^ (t << 14);
        t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0;
        return x ^ t ^ (t << 28);
    }

    std::uint64_t* words_ = nullptr;
    std::uint64_t keep_[BlockLaw::sets] = {};
    std::int32_t bits_ = 0, set_words_ = 0;
    int sets_ = 0, drawn_ = 0, count_ = 0;
};

} // namespace crx
