#pragma once

#include "host/store/sums_of_keys.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/plan.hh"

#include <filesystem>
#include <optional>

namespace crx {

/// All of a store that decides what a sweep would run next.
struct StoreState
{
    /// Where a cell is found: sweep, and coordinates as coordinates_text has them.
    using Place = std::pair<std::string, std::string>;

    StoreHeader header;
    std::map<Place, std::int64_t> indices; ///< of its cells
    SumsOfKeys sums;
};

/// Reads a store and changes nothing. Throws InputError where it is not there, not a store,
/// damaged, or a shard.
StoreState read_store_state(std::filesystem::path const& file);

/// The instances that a sweep which goes on from `base` runs before it needs a sum that is not
/// there: up to the next checkpoint of each cell where [stop] has a half-width, and one round of
/// refinement at most. Empty: the experiment is complete. It depends on the plan and on the sums in
/// `base` alone, so it is the same on every machine.
///
/// `grid` is grid_cells(plan); `base` nothing: there is no store yet.
std::vector<CellRanges> due_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                                 std::optional<StoreState> const& base);

} // namespace crx
