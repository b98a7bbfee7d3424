#pragma once

#include "host/experiment/paths.hh"
#include "host/store/extension/coverage.hh"
#include "host/store/store_header.hh"
#include "host/store/tables/cell_rows.hh"
#include "kernels/model/tally.cuh"

#include <filesystem>
#include <map>
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

} // namespace crx
