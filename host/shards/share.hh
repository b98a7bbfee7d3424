#pragma once

#include "host/store/shard_record.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/plan.hh"

namespace crx {

/// Estimated cost of one instance of a cell, in units that mean the same in all cells of an
/// experiment: requests times the cost of each policy's portable CPU engine
/// (kernels/engines/registry.hh), or expected prompts of a path. At least 1. Depends on the cell
/// alone, not on the machine.
std::int64_t estimated_cost(PlannedCell const& cell);

/// The part of a round's work that one shard runs. The parts of all shards are disjoint and make up
/// `due`; their estimated costs are about equal. Every cell is cut into pieces of at least some
/// milliseconds; each shard gets equally many pieces, side by side, and those left over go to the
/// shards that have least so far. `costs`: of an instance of each cell of `due`.
std::vector<CellRanges> share_of(std::vector<CellRanges> const& due,
                                 std::vector<std::int64_t> const& costs, ShardNumber const& number);

/// What stands in the header of the shard's store.
ShardRecord record_of(std::vector<CellRanges> const& due, std::vector<CellRanges> const& share,
                      ShardNumber const& number);

} // namespace crx
