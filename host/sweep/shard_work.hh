#pragma once

#include "host/store/shard_record.hh"
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

/// Estimated cost of one instance of a cell, in units that mean the same in all cells of an
/// experiment: requests times the cost of each policy's portable CPU engine
/// (kernels/engines/registry.hh), or expected prompts of a path. At least 1. Depends on the cell
/// alone, not on the machine.
std::int64_t estimated_cost(PlannedCell const& cell);

/// Of an instance of each of these cells.
std::vector<std::int64_t> estimated_costs(Plan const& plan, std::vector<CellRanges> const& due);

/// The part of a round's work that one shard runs. The parts of all shards are disjoint and make up
/// `due`; their estimated costs are about equal. Every cell is cut into pieces of at least some
/// milliseconds; each shard gets equally many pieces, side by side, and those left over go to the
/// shards that have least so far. `costs`: of an instance of each cell of `due`.
std::vector<CellRanges> share_of(std::vector<CellRanges> const& due,
                                 std::vector<std::int64_t> const& costs, ShardNumber const& number);

/// What stands in the header of the shard's store.
ShardRecord record_of(std::vector<CellRanges> const& due, std::vector<CellRanges> const& share,
                      ShardNumber const& number);

/// What one shard is to run.
struct ShardWork
{
    std::vector<CellRanges> work; ///< of this shard
    std::string record;           ///< for its store's header
    bool is_complete = false;     ///< the experiment lacks nothing, so no shard has work
};

/// The shard's part of what the experiment lacks in `base`, the merged store of the rounds before;
/// empty: there is none. `header` is that of the experiment. Throws InputError where `base` cannot
/// be read or holds another experiment.
ShardWork shard_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                     StoreHeader const& header, std::filesystem::path const& base,
                     ShardNumber const& number);

/// What the experiment lacks in a store before it needs a sum that is not there (due_work).
struct MissingWork
{
    std::int64_t cells = 0, instances = 0;
};

/// Throws as shard_work does.
MissingWork missing_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                         StoreHeader const& header, std::filesystem::path const& store);

} // namespace crx
