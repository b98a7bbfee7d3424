#pragma once

#include "host/sweep/open_sweep.hh"
#include "host/sweep/rank_board.hh"

namespace crx {

// A sweep of several processes. Rank 0 has the store, and gives out round by round what can be run
// before a sum of all is needed (due_work); every rank runs its shard of that, rank 0 into the
// store, the others into stores of their own beside it, which rank 0 takes in as they are done.

/// Rank 0's part, which ends when the experiment is complete. `store` is open, with all that runs
/// before left beside it. Throws as run_sweep does, and RunError where another rank ended too early
/// or is silent; all that is done is kept.
SweepSummary run_as_rank_zero(RankBoard& board, Plan const& plan,
                              std::vector<PlannedCell> const& grid, StoreHeader const& header,
                              RunStore& store, SweepSettings settings, Progress& progress);

/// The part of the others. Returns when rank 0 ends, or where rank 0 will say why all do. Throws
/// what is wrong with this rank alone.
void run_as_other_rank(RankBoard& board, Plan const& plan, StoreHeader header, RunInfo const& info,
                       SweepSettings settings);

} // namespace crx
