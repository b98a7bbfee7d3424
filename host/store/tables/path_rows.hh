#pragma once

#include "host/experiment/paths.hh"
#include "host/store/extension/holdings.hh"
#include "host/store/file/database.hh"

#include <string>

namespace crx {

/// Writes a chunk of the iteration model: a row per policy, path, horizon, and type where sums of
/// each are kept. `holdings`: of which policies.
void insert_paths(Database const& database, std::int64_t chunk, PathSums const& sums,
                  Holdings const& holdings);

/// Rows of a chunk (the value to bind): policy by policy, path by path, horizon by horizon, all
/// types together before each.
std::string path_rows_query();

/// Adds a row of that query. Throws std::invalid_argument where it is damaged.
void add_path_row(Statement const& row, PathSums& sums);

} // namespace crx
