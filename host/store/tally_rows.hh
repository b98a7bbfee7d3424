#pragma once

#include "host/store/database.hh"
#include "kernels/model/tally/tally.cuh"

#include <map>
#include <string>
#include <vector>

namespace crx {

/// Writes a chunk's tally: a row per policy, and a row per policy and baseline that was met.
/// `engines`: names of what ran each policy; empty: not known.
void insert_tally(Database const& database, std::int64_t chunk, Tally const& tally,
                  std::vector<std::string> const& engines);

/// Sums of every cell over its chunks; a cell without chunks is absent. Throws
/// std::invalid_argument where a row is damaged.
std::map<std::int64_t, Tally> read_tallies(Database const& database, std::size_t policies);

/// Of every cell the engines that ran each policy's chunks, one after the other by name; empty
/// where they are not known.
std::map<std::int64_t, std::vector<std::string>> read_engines(Database const& database,
                                                              std::size_t policies);

/// The sums of one cell.
Tally read_tally(Database const& database, std::size_t policies, std::int64_t cell);

} // namespace crx
