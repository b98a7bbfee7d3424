#pragma once

#include "kernels/engines/iterations/arrival_block.cuh"
#include "kernels/engines/iterations/iteration_arrivals.cuh"

namespace crx {

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
