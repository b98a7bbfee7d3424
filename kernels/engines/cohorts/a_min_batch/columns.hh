#pragma once

#include "kernels/laws/workload.cuh"
#include "kernels/simd/lane_integers.hh"

#include <bit>
#include <vector>

// For sources *_simd.cc.

namespace crx {
namespace {

/// What AMinBatchEngine keeps of all its instances, a column for each, so that a row of one
/// number of all of them is a register. Whole numbers; time is the same in all columns.
struct AMinBatchColumns
{

    static constexpr int lanes = Ints::count;
    /// Those with one working end, the last round that they are planned to hold memory in.
    struct End
    {
        Ints heads;
        Ints tokens; ///< that they are to hold in that round
    };
    struct Pool
    {
        Ints waiting; ///< those in `taken` too
        Ints taken;   ///< admitted last and not yet entered
    };
    static constexpr std::int32_t never = 1 << 30;

    explicit AMinBatchColumns(WorkloadView const& w)
        : prompt(static_cast<std::int32_t>(w.prompt_constant)),
          memory(static_cast<std::int32_t>(w.memory)), lower(w.interval.lower),
          upper(w.interval.upper),
          rounds(static_cast<std::int32_t>(std::bit_ceil(static_cast<std::uint32_t>(upper) + 1))),
          end(static_cast<std::size_t>(rounds)), stopping(end.size()),
          pool(static_cast<std::size_t>(upper) + 1)
    {
    }

    void clear()
    {
        for (auto& row : end) row = End{Ints{}, Ints{}};
        for (auto& columns : stopping) columns = 0;
        for (auto& row : pool) row = Pool{Ints{}, Ints{}};
        planned_heads = planned = held = active = waiting = unknown = started = started_unknown =
            last_length = Ints{};
        front_start = front_count = waiting_queue = front_many = Ints{};
        front_length = wake = Ints::all(never);
        peak = events = freed = admitted = Ints{};
    }

    /// Of round t.
    End& end_at(std::int32_t t) { return end[row_of(t)]; }
    std::uint32_t& stopping_at(std::int32_t t) { return stopping[row_of(t)]; }

    std::size_t row_of(std::int32_t t) const
    {
        return static_cast<std::size_t>(t) & static_cast<std::size_t>(rounds - 1);
    }

    std::int32_t prompt, memory, lower, upper;
    std::int32_t rounds;                 ///< that are kept: a power of two
    std::vector<End> end;                ///< by round modulo it
    std::vector<std::uint32_t> stopping; ///< a bit for each column in which something may complete
    std::vector<Pool> pool;              ///< by working length

    // If nobody outlives its working length: requests that hold memory in the next round, and how
    // much.
    Ints planned_heads, planned;
    Ints held, active; ///< memory held now, and requests that hold it
    Ints waiting;      ///< requests
    Ints unknown;      ///< in pool l: of which nothing is known
    Ints started;      ///< how many are in `taken`; 0: its rows mean nothing
    Ints started_unknown;
    Ints last_length; ///< the longest in `taken`
    Ints wake;        ///< next round in which anything happens
    // The first cohort with the least working length. `never` for a length: nobody is active.
    Ints front_start, front_count, front_length, waiting_queue;
    Ints front_many; ///< not 0: it is not alone
    Ints peak, events;
    Ints freed, admitted; ///< since they were last added up; freed memory, admissions
};

} // namespace
} // namespace crx
