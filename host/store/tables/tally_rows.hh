#pragma once

#include "host/store/extension/holdings.hh"
#include "host/store/file/database.hh"
#include "kernels/model/tally.cuh"

#include <string>
#include <vector>

namespace crx {

/// Writes a chunk's tally: a row per policy, and a row per policy and baseline that was met.
/// `engines`: names of what ran each policy; empty: not known. `holdings`: which sums, over which
/// of `baselines`.
void insert_tally(Database const& database, std::int64_t chunk, Tally const& tally,
                  std::vector<std::string> const& engines, Holdings const& holdings,
                  std::vector<std::string> const& baselines);

/// Rows of a chunk (the value to bind): the policy, then what add_..._row reads.
std::string policy_rows_query();
std::string ratio_rows_query();

/// Adds a row of these queries to its policy's sums, and says which engine ran it. Throw
/// std::invalid_argument where the row is damaged.
void add_policy_row(Statement const& row, PolicyTally& tally, std::string& engine);
void add_ratio_row(Statement const& row, PolicyTally& tally);

} // namespace crx
