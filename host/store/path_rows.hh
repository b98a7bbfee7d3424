#pragma once

#include "host/iteration/path_sums.hh"
#include "host/store/database.hh"

#include <map>

namespace crx {

/// Writes a chunk of the iteration model: a row per policy, path, horizon, and type where sums of
/// each are kept.
void insert_paths(Database const& database, std::int64_t chunk, PathSums const& sums);

/// Paths of every cell; a cell without any is absent. Throws std::invalid_argument where a row is
/// damaged.
std::map<std::int64_t, PathSums> read_all_paths(Database const& database, std::size_t policies);

/// The same of one cell.
PathSums read_paths(Database const& database, std::size_t policies, std::int64_t cell);

} // namespace crx
