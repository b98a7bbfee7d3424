#pragma once

#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/worst/search/annealing.hh"
#include "host/single/policy_argument.hh"

#include <set>
#include <string>

namespace crx {

/// The command line of `crx search`.
struct SearchOptions
{
    std::string policy, selector, over = "opt", against, measure = "tel", restriction = "any",
                                  interval, output, record, records;
    PolicyParameters parameters;
    std::int64_t requests = 8, memory = 16, last_arrival = 0, draws = usual_draws;
    static constexpr std::int64_t usual_draws = 64;
    std::uint64_t seed = 1, draw_seed = 1; ///< of the search; of random policies
    std::optional<double> seconds;         ///< left out: 60, or none where generations end it
    std::int64_t generations = 0;          ///< 0: not given
    std::int64_t neighbours = 4000, nodes = 100'000;
    int threads = 0;
    std::optional<double> shrink; ///< the share of the ratio that must remain
    bool scale = false, json = false;
    /// Of a search over compositions; `prompt` and `upper` are a number or LOW..HIGH.
    std::vector<std::int64_t> lengths;
    std::string prompt, upper, backend = "auto";
    std::int64_t least_requests = 0, instances = 16, evaluations = 500;
    bool exhaustive = false;
    std::string shard;              ///< of an exhaustive search: "2/8"
    std::vector<std::string> merge; ///< certificates of parts, to be made one
    std::set<std::string> given;    ///< options of the command line, as "--output"

    double time_limit() const { return seconds.value_or(generations > 0 ? 1e9 : 60); }
    /// A line of the shell that gives the same options, `-o` and `--threads` left out.
    std::string command() const;
};

/// Throws ConfigError where the time or the share to shrink to is out of its range.
void check_ranges(SearchOptions const& options);

/// A side of the ratio that an id names: a registered policy or sorted-f, sorted-lp, lp-swap.
/// `option` is the one that named it. Throws ConfigError.
worst::Cost cost_argument(std::string const& option, std::string const& id,
                          SearchOptions const& options);

/// Whether a policy orders all requests before the first round (sorted-f, sorted-lp, lp-swap).
bool ordered_beforehand(std::string const& id);
/// The id of a registered policy: of h-sf that of mc-sf.
std::string policy_id(std::string const& id);
/// What --selector says of sorted-f. Throws ConfigError.
sorted_f::Selector selector_argument(SearchOptions const& options);

/// Sides of the ratio that are no ids: functions of Python's, named by the options as labels.
struct OwnCosts
{
    std::optional<worst::Cost> policy, over;
};

/// What the options say. Throw ConfigError.
worst::InstanceClass instance_class(SearchOptions const& options);
worst::Objective objective(SearchOptions const& options, OwnCosts const& own = {});
worst::Measure measure_of(SearchOptions const& options);

/// What counts of a run in which all arrive at 0.
std::int64_t measured(SingleRun const& run, worst::Measure measure);

} // namespace crx
