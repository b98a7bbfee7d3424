#pragma once

#include "host/evidence/claims/relation.hh"
#include "host/evidence/claims/trial.hh"

#include <functional>
#include <string>
#include <vector>

namespace crx::claims {

/// A trial's numbers that need a program: at a point of the trial's grid it gives each name of
/// `gives`. The functions are in claims/*.cc and are added by main.
struct Function
{
    std::string name, meaning;
    std::vector<std::string> takes; ///< axes of the grid that it reads
    std::vector<std::string> gives;
    std::function<std::map<std::string, Interval>(Numbers const& at)> value;
};

std::vector<Function>& functions();
Function const* find_function(std::string const& name);

} // namespace crx::claims

namespace crx::claims {

/// Values of the axes of a trial's `grid`; one point without axes where there is none.
using Grid = std::map<std::string, std::vector<double>>;
Grid read_grid(ConfigReader& reader);
/// Calls `visit` at each point of the grid: the last axis runs fastest.
void visit_grid(Grid const& grid, std::function<void(Numbers const&)> const& visit);

/// The names but those that `at` has: all must be known, else a ConfigError that lists `accepted`.
[[noreturn]] void refuse_name(std::string const& place, std::string const& name,
                              std::vector<std::string> const& accepted);

// The kinds of sources (docs/claims.md#trials). Each reads its keys and checks them.

/// Closed forms on a grid: no key of its own.
Source closed_form_source(Grid const& grid, std::string const& place);
/// `instance = { memory, requests = [[count, prompt, output, lower, upper], ..], .. }`.
Source instance_source(ConfigValue const& table, std::string const& key, Grid const& grid);
/// `random = { count, requests, memory, .. }`.
Source random_source(ConfigValue const& table, std::string const& key);
/// `experiment`, with `set`, `sweep`, `over`, `at` and `fit_from`.
Source experiment_source(ConfigReader& reader, std::filesystem::path const& folder,
                         double confidence);
/// `witness = "FILE"`.
Source witness_source(ConfigReader& reader, std::filesystem::path const& folder);
/// `search = { policy, requests, memory, generations, .. }`.
Source search_source(ConfigValue const& table, std::string const& key);
/// `function = "NAME"`.
Source function_source(ConfigReader& reader, Grid const& grid);

} // namespace crx::claims
