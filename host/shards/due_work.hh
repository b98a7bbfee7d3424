#pragma once

#include "host/shards/store_state.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/plan.hh"

#include <optional>

namespace crx {

/// The instances that a sweep which goes on from `base` runs before it needs a sum that is not
/// there: up to the next checkpoint of each cell where [stop] has a half-width, and one round of
/// refinement at most. Empty: the experiment is complete. It depends on the plan and on the sums in
/// `base` alone, so it is the same on every machine.
///
/// `grid` is grid_cells(plan); `base` nothing: there is no store yet. Throws InputError where a
/// cell of `base` is not as in the plan, and where `base` is being extended.
std::vector<CellRanges> due_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                                 std::optional<StoreState> const& base);

} // namespace crx
