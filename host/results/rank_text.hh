#pragma once

#include "host/results/rank_table.hh"
#include "host/results/missing_baseline.hh"

#include <nlohmann/json.hpp>

namespace crx {

/// Tables to read, with what is missing in words; at most so many lines, then how many sweeps are
/// left. `store` stands for the store in what is said.
std::string rank_text(StoreContents const& contents, std::vector<RankTable> const& tables,
                      double confidence, std::string const& store, std::size_t most_lines);

/// The same as one JSON list, a table an object, with every paired difference.
nlohmann::ordered_json rank_json(StoreContents const& contents,
                                 std::vector<RankTable> const& tables, double confidence);

} // namespace crx
