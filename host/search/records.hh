#pragma once

#include "host/search/search_options.hh"

#include <filesystem>
#include <string>

namespace crx {

/// A folder of records has a folder for each policy. For each denominator and class of instances
/// that holds the worst that any search has found, as NAME.json (a witness file), and what that has
/// cost, as NAME.cost (JSON).

/// What the searches for one record have cost, and what they look for.
struct RecordCost
{
    std::string policy, selector, over, restriction, interval;
    std::int64_t requests = 0, memory = 0, last_arrival = 0;
    std::int64_t searches = 0, neighbours = 0;
    double processor_seconds = 0;
};

/// The record that a search may improve: "mc-sf/over-opt.equal-prompts.n8.m24". Options
/// that do not change the question are no part of it. Throws ConfigError for those that no table
/// has a place for: a bound, another measure.
std::string record_name(SearchOptions const& options);

/// Adds a search to the costs of its record.
void add_cost(std::filesystem::path const& folder, SearchOptions const& options,
              std::int64_t neighbours, double processor_seconds);

/// The records of a folder as the table of docs/records.md, below its first lines. Throws
/// InputError for a file that is none.
std::string records_table(std::filesystem::path const& folder);

} // namespace crx
