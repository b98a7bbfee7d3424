#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"
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

/// Rates of independent Poisson processes, one a type, as arrays that the caller owns.
struct PoissonTable
{
    std::int32_t types = 0, slices = 1;
    BlockLaw const* laws = nullptr;
    std::int32_t const* law_of = nullptr; ///< per type, at its largest rate
    Nanoseconds slice_length = 1;         ///< the slices repeat for ever
    /// keep[type * slices + s]: an arrival in slice s stays if its word is below this, 2^64 times
    /// the rate over the largest (Lewis and Shedler 1979, thinning). Null: all stay.
    std::uint64_t const* keep = nullptr;

    CRX_HD BlockLaw const& law(std::int32_t type) const { return laws[law_of[type]]; }
};

/// One path of them: events in order of (time, type), each of which stands for the type's next
/// `quorum` arrivals and comes with the last of them.
///
/// With quorum 1 every arrival is an event. WAIT asks only when a threshold is reached, so there
/// the quorum is the threshold, and the arrivals between are counted and summed but never put in
/// order. Type j draws from stream 65536 j + stream_arrivals, thinning from 65536 j +
/// stream_lengths; every block is a function of (seed, instance, type, number).
class PoissonArrivals
{
  public:
    static constexpr Nanoseconds never = INT64_MAX;

    /// `quorum`: per type, or null for 1 each. `checkpoints`: instants at which totals are wanted,
    /// ascending; past the block with the last there are no events, without any they go on. Both
    /// are the caller's, for as long as this lives.
    CRX_HD PoissonArrivals(PoissonTable const& table, std::uint64_t seed, std::uint64_t instance,
                           std::int64_t const* quorum, Nanoseconds const* checkpoints,
                           std::int32_t checkpoint_count, Arena& arena)
        : table_(table), quorum_(quorum), checkpoints_(checkpoints), seed_(seed),
          instance_(instance), checkpoint_count_(checkpoint_count)
    {
        while (leaves_ < table.types) leaves_ *= 2;
        type_ = arena.take<TypeState>(table.types);
        totals_ = arena.take<ArrivalTotals>(std::int64_t{table.types} * checkpoint_count);
        next_ = arena.take<Nanoseconds>(leaves_);
        first_ = arena.take<std::int32_t>(2 * leaves_);
        times_ = arena.take<std::uint64_t>(BlockLaw::most);
        kept_ = arena.take<std::uint64_t>(BlockLaw::most + 16);
        bool const counts_only = type_ == nullptr;
        for (std::int32_t j = 0; j < table.types; ++j) {
            TypeState state;
            state.block.take(arena, table.law(j).bits);
            if (quorum_of(j) < in_order) state.order = arena.take<std::uint64_t>(BlockLaw::most);
            if (counts_only) continue;
            type_[j] = state;
            next_[j] = find_next(j);
        }
        if (counts_only) return;
        for (auto j = table.types; j < leaves_; ++j) next_[j] = never;
        for (std::int32_t j = 0; j < leaves_; ++j) first_[leaves_ + j] = j;
        for (auto node = leaves_ - 1; node >= 1; --node) choose(node);
    }

    CRX_HD Nanoseconds time() const { return next_[type()]; }
    CRX_HD std::int32_t type() const { return first_[1]; }
    CRX_HD std::int64_t prompts() const { return quorum_of(type()); }
    CRX_HD void advance()
    {
        auto const j = type();
        next_[j] = find_next(j);
        for (auto node = (leaves_ + j) / 2; node >= 1; node /= 2) choose(node);
    }

    /// Contract: `until` is a checkpoint, and the next event is later.
    CRX_HD ArrivalTotals totals(std::int32_t type, Nanoseconds until) const
    {
        std::int32_t c = 0;
        while (c < checkpoint_count_ && checkpoints_[c] != until) ++c;
        CRX_EXPECT(c < type_[type].checkpoint);
        return totals_[std::int64_t{type} * checkpoint_count_ + c];
    }

  private:
    /// Below this quorum a block is put in order as a whole, which costs less then.
    static constexpr std::int64_t in_order = 8;

    struct TypeState
    {
        ArrivalBlock block;
        std::uint64_t* order = nullptr; ///< times of the block in order, or null
        std::uint64_t blocks = 0;       ///< drawn so far
        int taken = 0;                  ///< arrivals of the block that events stand for
        std::int32_t checkpoint = 0;    ///< the next one that no block has reached
        ArrivalTotals before;           ///< the block
    };

    CRX_HD std::int64_t quorum_of(std::int32_t j) const
    {
        return quorum_ == nullptr ? 1 : quorum_[j];
    }
    /// The earlier of the events below a node; of the lesser type where they are equal.
    CRX_HD void choose(std::int32_t node)
    {
        auto const left = first_[2 * node], right = first_[2 * node + 1];
        first_[node] = next_[right] < next_[left] ? right : left;
    }

    CRX_HD Nanoseconds find_next(std::int32_t j)
    {
        auto& state = type_[j];
        auto missing = quorum_of(j);
        while (state.block.count() - state.taken < missing) {
            missing -= state.block.count() - state.taken;
            if (!next_block(j)) return never;
        }
        state.taken += static_cast<int>(missing);
        auto const r = state.taken - 1;
        return beginning(j) + static_cast<Nanoseconds>(state.order != nullptr ? state.order[r]
                                                                              : state.block.nth(r));
    }

    CRX_HD Nanoseconds beginning(std::int32_t j) const
    {
        return static_cast<Nanoseconds>((type_[j].blocks - 1) << table_.law(j).bits);
    }

    /// False: the next block begins past the last checkpoint, where nothing is asked for and a
    /// stream may have no words left, or past the end of 64-bit time.
    CRX_HD bool next_block(std::int32_t j)
    {
        auto& state = type_[j];
        auto const& law = table_.law(j);
        if (checkpoint_count_ > 0 && state.checkpoint == checkpoint_count_) return false;
        if (state.blocks > 0) {
            auto const [count, time] = state.block.sum();
            state.before.count += count;
            state.before.time +=
                time + static_cast<Unsigned128>(count) * static_cast<Unsigned128>(beginning(j));
        }
        if (state.blocks >> (63 - law.bits) != 0) return false;
        state.block.draw(law, seed_, (static_cast<std::uint32_t>(j) << 16) + stream_arrivals,
                         instance_, state.blocks);
        ++state.blocks;
        state.taken = 0;
        if (table_.keep != nullptr) thin(j);
        if (state.order != nullptr) put_in_order(j);
        auto const begin = beginning(j);
        auto const last = begin + ((Nanoseconds{1} << law.bits) - 1);
        for (; state.checkpoint < checkpoint_count_ && checkpoints_[state.checkpoint] <= last;
             ++state.checkpoint) {
            auto const part = state.block.sum_until(
                static_cast<std::uint64_t>(checkpoints_[state.checkpoint] - begin));
            totals_[std::int64_t{j} * checkpoint_count_ + state.checkpoint] = {
                state.before.count + part.count,
                state.before.time + part.time +
                    static_cast<Unsigned128>(part.count) * static_cast<Unsigned128>(begin)};
        }
        return true;
    }

    CRX_HD void thin(std::int32_t j)
    {
        auto& block = type_[j].block;
        auto const n = block.drawn();
        block.times(times_);
        draw_words(seed_, (static_cast<std::uint32_t>(j) << 16) + stream_lengths, instance_,
                   (type_[j].blocks - 1) * (BlockLaw::most / 2), (n + 1) / 2, kept_);
        for (int i = 0; i < n; ++i) {
            auto const time = beginning(j) + static_cast<Nanoseconds>(times_[i]);
            auto const s = time / table_.slice_length % table_.slices;
            if (kept_[i] >= table_.keep[std::int64_t{j} * table_.slices + s]) block.remove(i);
        }
    }

    /// Sorts the kept times: by their leading byte, which leaves few in disorder as they are
    /// uniform, then by insertion.
    CRX_HD void put_in_order(std::int32_t j)
    {
        auto const& state = type_[j];
        auto const& block = state.block;
        auto const n = block.count();
        block.times(times_);
        if (n < block.drawn())
            for (int i = 0, to = 0; i < block.drawn(); ++i)
                if (block.kept(i)) times_[to++] = times_[i];
        auto const bits = table_.law(j).bits;
        sort_leading(times_, n, bits > 8 ? bits - 8 : 0, state.order);
        for (int i = 1; i < n; ++i) {
            auto const time = state.order[i];
            int k = i;
            for (; k > 0 && state.order[k - 1] > time; --k) state.order[k] = state.order[k - 1];
            state.order[k] = time;
        }
    }

    /// Counting sort by `time >> shift`, below 256. Counts are bytes, eight of them summed at once.
    CRX_HD static void sort_leading(std::uint64_t const* time, int n, int shift, std::uint64_t* out)
    {
        if (n > 255) {
            for (int i = 0; i < n; ++i) out[i] = time[i];
            return;
        }
        std::uint64_t counts[32] = {};
        auto* const place = reinterpret_cast<unsigned char*>(counts);
        for (int i = 0; i < n; ++i) ++place[time[i] >> shift];
        constexpr std::uint64_t ones = 0x0101010101010101;
        std::uint64_t before = 0;
        for (auto& eight : counts) {
            auto const sums = eight * ones; // little-endian: byte k is the sum of bytes 0 .. k
            eight = (sums << 8) + before * ones;
            before += sums >> 56;
        }
        for (int i = 0; i < n; ++i) out[place[time[i] >> shift]++] = time[i];
    }

    PoissonTable table_;
    std::int64_t const* quorum_;
    Nanoseconds const* checkpoints_;
    std::uint64_t seed_, instance_;
    std::int32_t checkpoint_count_;
    std::int32_t leaves_ = 1;
    TypeState* type_;
    ArrivalTotals* totals_; ///< totals_[type * checkpoints + c]
    Nanoseconds* next_;     ///< next_[j]: time of the next event of type j
    std::int32_t* first_;   ///< first_[node]: type whose event is the earliest below; leaves last
    std::uint64_t* times_;  ///< of a block, while it is thinned or put in order
    std::uint64_t* kept_;   ///< random words that decide which arrivals stay
};

} // namespace crx
