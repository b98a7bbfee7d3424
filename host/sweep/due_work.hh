#pragma once

#include "host/experiment/paths.hh"
#include "host/store/extension/coverage.hh"
#include "host/store/store_header.hh"
#include "host/store/tables/cell_rows.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/plan.hh"
#include "kernels/model/tally.cuh"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace crx {

/// A cell of a store with what is in it.
struct CellState
{
    StoredCell cell;
    Coverage covered;
    Tally tally;    ///< of the round model
    PathSums paths; ///< of the iteration model
};

/// All of a store that decides what a sweep would run next.
struct StoreState
{
    /// Where a cell is found: sweep, and coordinates as coordinates_text has them.
    using Key = std::pair<std::string, std::string>;

    StoreHeader header;
    std::map<Key, CellState> cells;
};

/// Reads a store and changes nothing. Throws InputError where it is not there, not a store,
/// damaged, or a shard.
StoreState read_store_state(std::filesystem::path const& file);

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
