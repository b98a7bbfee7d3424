#pragma once

#include "analysis/baseline/relaxation/lagrangian.hh"
#include "analysis/baseline/schedule.hh"

#include <functional>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crx::baseline {

/// What of the costly bounds is computed; a search for the optimum needs peaks too.
struct HindsightParts
{
    bool peaks = true, search = true;
};

/// Everything but seconds and stop is a count: with time to spare the result does not depend on the
/// machine's speed.
struct HindsightLimits
{
    double seconds = 10;    ///< for everything together
    std::uint64_t seed = 1; ///< of best_found
    /// Of best_found; 0: 300 n^2 to n = 64, at most 50,000; past that 50 n.
    std::int64_t evaluations_a_request = 0;
    std::int64_t steps = 0; ///< of the ascent behind peaks; 0: 4 n^2, at most 1,000
    /// Of the search for the optimum: 20 arcs of configurations each, or looks at 1,000 of pairs.
    std::int64_t nodes = INT64_MAX;
    HindsightParts parts = {};
    std::function<bool()> stop = {}; ///< true: end soon, with what is there; empty: never
};

/// A lower bound on OPT, evaluated in integers. `value` is empty where the bound does not apply or
/// was out of reach; `remark` says why, or what it cost.
struct LowerBound
{
    std::string id;
    std::optional<Rounds> value;
    std::string remark;
};

/// Ids that a schedule of hindsight() can have.
inline constexpr std::string_view schedule_ids[] = {"h-sf", "mc-sf", "mc-sf-total", "best-found",
                                                    "configurations"};

/// A schedule that schedule_fault has passed.
struct NamedSchedule
{
    std::string id;
    Starts starts;
    Rounds total_latency = 0;
};

/// All baselines of one instance: lower <= OPT <= upper by exact bounds, equal if the optimum is
/// proven.
struct Hindsight
{
    std::vector<LowerBound> bounds;
    std::vector<NamedSchedule> schedules;
    Rounds lower = 0, upper = 0;
    /// Of peaks; empty where they were not made, or where rounds between arrivals were left out, as
    /// prices are of rounds.
    std::optional<Prices> prices;
    std::optional<PathPrices> pairs; ///< likewise of pair_bound
    /// Where configuration_bound has proven the optimum: with `prices` they repeat its proof.
    /// Otherwise, and where rounds were left out, empty.
    std::vector<ConfigurationStage> configurations;
    bool optimal() const { return lower == upper; }
    NamedSchedule const& best() const;
    /// Of that id; empty where it is not there or has no value.
    std::optional<Rounds> bound(std::string_view id) const;
    std::optional<Rounds> schedule(std::string_view id) const;
};

/// Computes the bounds outputs (the sum of o), volume, release, dual, peaks (never below outputs);
/// the schedules of mc-sf (called h-sf where all arrive at 0) and mc-sf-total, best_found; up to 24
/// requests configurations, which search for the optimum too, and past that, up to 64, pairs
/// (pair_bound), while time is left. Rounds in which nothing can be left to do cost nothing
/// (WithoutIdleGaps); requests that all arrive in one round count as arriving at 0. A schedule
/// whose TEL is 2^62 or more is left out; if there is no other, `schedules` is empty, `upper` is 0
/// and nothing is searched. Contract: at least one request, each fits in memory.
Hindsight hindsight(OwnedInstance const& instance, HindsightLimits const& limits);

} // namespace crx::baseline
