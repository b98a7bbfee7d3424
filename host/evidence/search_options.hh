#pragma once

#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/worst/annealing.hh"
#include "host/experiment/policy_parameters.hh"

#include <set>
#include <string>

namespace crx {

/// The command line of `crx search`.
struct SearchOptions
{
    std::string policy, selector, over = "opt", against, measure = "tel", restriction = "any",
                                  interval, output;
    PolicyParameters parameters;
    std::int64_t requests = 8, memory = 16, last_arrival = 0;
    std::optional<std::int64_t> draws;
    std::vector<std::int64_t> lengths; ///< of a search over compositions
    bool exhaustive = false, scale = false, json = false;
    std::uint64_t seed = 1;
    std::optional<double> seconds; ///< left out: 60, or none where generations end it
    std::int64_t generations = 0;  ///< 0: not given
    std::optional<double> shrink;  ///< the share of the ratio that must remain
    int threads = 0;
    std::set<std::string> given; ///< options of the command line, as "--output"

    /// Seed of policies' random choices: the same for all searches.
    static constexpr std::uint64_t draw_seed = 1;
    std::int64_t draw_count() const { return draws.value_or(lengths.empty() ? 64 : 16); }
    double time_limit() const { return seconds.value_or(generations > 0 ? 1e9 : 60); }
    /// A line of the shell that gives the same options, `-o` and `--threads` left out.
    std::string command() const;
};

/// Throws ConfigError where the time or the share to shrink to is out of its range.
void check_ranges(SearchOptions const& options);

/// Refuses options that what is asked for has no use for, by `options.given`: --exhaustive and
/// --lengths take some each, a search over instances the others. Throws ConfigError naming the
/// first.
void check_options_of_mode(SearchOptions const& options);

/// A side of the ratio that an id names: a registered policy or sorted-f, sorted-lp, lp-swap.
/// `option` is the one that named it. Throws ConfigError.
worst::Cost cost_argument(std::string const& option, std::string const& id,
                          SearchOptions const& options,
                          std::uint64_t draw_seed = SearchOptions::draw_seed);

/// True for sorted-f, sorted-lp and lp-swap, which order all requests before the first round.
bool ordered_beforehand(std::string const& id);
/// The id of a registered policy: of h-sf that of mc-sf.
std::string policy_id(std::string const& id);
/// The value of --selector. Throws ConfigError.
sorted_f::Selector selector_argument(SearchOptions const& options);

/// Sides of the ratio that are no ids: functions of Python's, named by the options as labels.
struct OwnCosts
{
    std::optional<worst::Cost> policy, over;
};

// What the options mean. All throw ConfigError.

worst::InstanceClass instance_class(SearchOptions const& options);
worst::Objective objective(SearchOptions const& options, OwnCosts const& own = {});
worst::Measure measure_of(SearchOptions const& options);

/// The measure of a run in which all requests arrive at 0.
std::int64_t measured(SingleRun const& run, worst::Measure measure);

} // namespace crx
