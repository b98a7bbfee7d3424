#pragma once

#include "host/store/database.hh"
#include "kernels/model/tally/tally.cuh"

#include <map>

namespace crx {

/// Writes a chunk's tally: a row per policy, and a row per policy and baseline that was met.
void insert_tally(Database const& database, std::int64_t chunk, Tally const& tally);

/// Sums of every cell over its chunks; a cell without chunks is absent. Throws
/// std::invalid_argument where a row is damaged.
std::map<std::int64_t, Tally> read_tallies(Database const& database, std::size_t policies);

/// The same of one cell.
Tally read_tally(Database const& database, std::size_t policies, std::int64_t cell);

} // namespace crx
