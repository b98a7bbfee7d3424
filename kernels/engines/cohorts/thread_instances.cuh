#pragma once

#include "kernels/base/thread_lanes.cuh"
#include "kernels/engines/cohorts/a_max_batch.cuh"
#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/engines/cohorts/fixed_length_batch.cuh"
#include "kernels/random/sampling_without_replacement.cuh"

namespace crx {

/// A SamplingWithoutReplacement that answers from its open block on the spot; what draws is a call.
/// Rows of a warp's threads lie side by side.
class ThreadLine : public SamplingState
{
  public:
    using Rows = RowsApart<32>;

    CRX_HD ThreadLine() : SamplingState(0) {}
    /// Contract: as of SamplingWithoutReplacement.
    CRX_HD ThreadLine(Rows const& rows, std::int64_t block) : SamplingState(block), rows_(rows) {}

    /// Whether take(m) draws: its answer is not all in the open block.
    CRX_IN_LANES bool draws(std::int64_t m) const { return !holds(m); }
    /// Contract: as of SamplingWithoutReplacement, and m >= 1.
    CRX_IN_LANES std::int64_t take(std::int64_t m, WordStream& words)
    {
        if (draws(m)) return take_past(m, words);
        auto const found = count_in_block(static_cast<unsigned>(place()), static_cast<unsigned>(m));
        go_to(place() + m);
        return found;
    }

  private:
    /// RowsApart::count of m places from `at` on, as a rule in one or two rows: a GPU computes
    /// with 32 bits. Contract: m >= 1.
    CRX_IN_LANES int count_in_block(unsigned at, unsigned m) const
    {
        auto const last = (at + m - 1) / 64;
        auto const until = ~std::uint64_t{0} >> (63 - (at + m - 1) % 64);
        auto bits = rows_.row(at / 64) >> at % 64 << at % 64;
        int found = 0;
        CRX_NO_UNROLL
        for (auto row = at / 64; row < last; bits = rows_.row(++row)) found += count_bits(bits);
        return found + count_bits(bits & until);
    }

    CRX_HD_CALLED std::int64_t take_past(std::int64_t m, WordStream& words)
    {
        return take_marked(*this, rows_, m, words);
    }

    Rows rows_;
};

/// What an engine in lanes is made of where a lane is a thread of a GPU. Warp_: ballot(mine) of
/// the threads of a warp, to which all of them must come.
template <class T, class Warp_>
struct ThreadForm
{
    using Lanes = ThreadLanes<T>;
    using Warp = Warp_;
    using Index = std::int32_t; ///< of a place, counted up
    static constexpr int registers = 1;
    static constexpr int stop_condition =
        24; ///< steps that a draw waits for those of other threads

    /// Memory of a thread's places: its k-th number lies `apart` k behind the first, so that those
    /// of a warp's threads lie side by side.
    struct Memory
    {
        static constexpr int apart = 32;
        T* near;                              ///< for most instances enough: in shared memory
        T* far;                               ///< for all
        std::int32_t near_places, far_places; ///< powers of two
    };

    /// Places in a ring, of which those from `low` to `high` are in use: near as long as they fit,
    /// then far, until the next instance.
    template <int fields>
    class Places
    {
      public:
        CRX_IN_LANES explicit Places(Memory const& memory) : memory_(memory) { open(); }
        CRX_IN_LANES T& at(Index place, int field)
        {
            return ring_[((place & last_) * fields + field) * Memory::apart];
        }
        CRX_IN_LANES Index front(Index low) const { return low; }
        CRX_IN_LANES void open()
        {
            ring_ = memory_.near;
            last_ = memory_.near_places - 1;
        }
        CRX_IN_LANES void make_room(Index low, Index high)
        {
            if (high - low > last_) move_far(low, high);
        }

      private:
        CRX_HD void move_far(Index low, Index high)
        {
            CRX_ENSURE(ring_ == memory_.near && high - low < memory_.far_places);
            auto near = *this;
            ring_ = memory_.far;
            last_ = memory_.far_places - 1;
            for (auto i = low; i < high; ++i)
                for (int f = 0; f < fields; ++f) at(i, f) = near.at(i, f);
        }

        Memory memory_;
        T* ring_;
        Index last_;
    };

    /// VectorSampler for the one lane, whose words and lines lie elsewhere: they are looked up by
    /// numbers, which registers cannot be.
    template <int lines>
    class Sampler
    {
      public:
        CRX_IN_LANES Sampler(WordStream* words, ThreadLine* line) : words_(words), line_(line) {}

        CRX_IN_LANES void open(int, std::uint64_t seed, std::uint32_t stream,
                               std::uint64_t instance)
        {
            *words_ = WordStream(seed, stream, instance);
        }
        CRX_IN_LANES void open_line(int k, int, std::int64_t population, std::int64_t marked)
        {
            line_[k].open(population, marked);
        }
        /// Whether take() would draw.
        CRX_IN_LANES bool draws(int k, T m) const
        {
            return line_[k].draws(static_cast<std::int64_t>(m));
        }
        CRX_IN_LANES T take(int k, T m)
        {
            return m > 0 ? static_cast<T>(line_[k].take(static_cast<std::int64_t>(m), *words_)) : 0;
        }

      private:
        WordStream* words_;
        ThreadLine* line_;
    };
};

/// An instance on an engine of a GPU's thread: outcome, and its counts of each length. Threads of a
/// warp must come here together; one that is not `any` has nothing to run.
template <class Engine>
CRX_HD void execute_by_thread(Engine& engine, WorkloadView const& w, std::int64_t instance,
                              bool any, std::int64_t const* counts, Outcome* outcome)
{
    engine.open(w, instance, any ? 1 : 0, counts, 0);
    engine.run();
    if (!any) return;
    auto o = engine.outcome(w, 0, counts);
    o.first_token_latency = first_token_latency(o.total_latency, w, counts);
    *outcome = o;
}

/// Places of a ring that is enough for so many, a power of two.
constexpr std::int32_t ring_of(std::int64_t places)
{
    std::int32_t ring = 2;
    while (ring < places) ring *= 2;
    return ring;
}
/// The largest ring up to `most` places whose lanes' places fit in so many bytes; two at least.
constexpr std::int32_t near_ring(std::int64_t bytes, std::int64_t place_bytes, std::int32_t most)
{
    auto ring = most;
    while (ring > 2 && ring * place_bytes > bytes) ring /= 2;
    return ring;
}

/// Memory for the lines that the threads of a warp draw from: what `lines` of them need, the rows
/// of each side by side with those of the other threads.
struct ThreadLines
{
    std::int64_t block = 0, rows = 0; ///< SamplingWithoutReplacement's; rows of 64 places a line
    std::int32_t lines = 0;

    /// Of a workload's lines; none where nothing is drawn.
    CRX_HD static ThreadLines of(WorkloadView const& w, std::int32_t lines, bool draws)
    {
        auto const block = sampling_block(static_cast<std::int64_t>(w.output_value.size()));
        return {block, draws ? sampling_rows(w.requests, block) : 0, lines};
    }
    /// Words that a warp needs.
    CRX_HD std::int64_t words() const { return rows * lines * ThreadLine::Rows::apart; }
    /// Those of thread number `lane` of the warp, in memory of its own.
    CRX_HD void open(std::uint64_t* memory, int lane, ThreadLine* line) const
    {
        for (int k = 0; k < lines; ++k)
            line[k] = ThreadLine(
                ThreadLine::Rows(memory + k * rows * ThreadLine::Rows::apart + lane), block);
    }
};

} // namespace crx
