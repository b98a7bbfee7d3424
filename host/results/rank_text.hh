#pragma once

#include "host/results/what_is_missing.hh"
#include "host/results/rank_table.hh"

#include <nlohmann/json.hpp>

namespace crx {

/// Columns side by side, two spaces between. Contract: as many in every row.
std::string aligned(std::vector<std::vector<std::string>> const& rows);

/// "2", "2-3", or "-" where there is none.
std::string rank_range(std::int64_t least, std::int64_t most);

/// Tables to read, with what is missing in words; at most so many lines, then how many sweeps are
/// left. `store` stands for the store in what is said.
std::string rank_text(StoreContents const& contents, std::vector<RankTable> const& tables,
                      double confidence, std::string const& store, std::size_t most_lines);

/// The same as one JSON list, a table an object, with every paired difference.
nlohmann::ordered_json rank_json(StoreContents const& contents,
                                 std::vector<RankTable> const& tables, double confidence);

} // namespace crx
