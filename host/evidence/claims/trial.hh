#pragma once

#include "host/evidence/claims/relation.hh"
#include "host/experiment/expression.hh"

#include <filesystem>
#include <functional>
#include <set>

namespace crx::claims {

/// Where a relation is looked at, and what was measured there.
struct Point
{
    Numbers at;                                        ///< axes and parameters
    std::function<Interval(std::string const&)> value; ///< of a name that the source knows
};
using Visit = std::function<void(Point const&)>;

/// Where a trial's numbers come from: one of the kinds of docs/claims.md.
struct Source
{
    std::string kind; ///< "experiment", ...
    /// Checks the names that a trial uses, and says which of them are measured or computed: not an
    /// axis, which no outcome changes. Throws ConfigError for one that it does not know.
    std::function<std::set<std::string>(std::set<std::string> const& names)> measured;
    /// Calls `visit` for each point.
    std::function<void(std::set<std::string> const& names, Visit const& visit)> run;
};

/// What a trial speaks of.
enum class Role
{
    statement,  ///< the claim as it stands
    correction, ///< what holds in its place
    sharper,    ///< the better bound
    tight       ///< that the bound is nearly met
};

enum class Outcome
{
    kept,
    missed,
    unclear ///< within the intervals
};
std::string_view name_of(Outcome outcome);

/// A thing that must be seen.
struct Trial
{
    Role role = Role::statement;
    std::string reading;
    Relation expect;
    std::optional<Expression> where; ///< points at which it is 0 do not count
    bool some = false;               ///< at one point at least, else at all
    double slack = 0;                ///< relative: what a limit that is not reached may add
    double confidence = 0.999;
    std::string place; ///< "FILE:LINE"
    Source source;
};

struct TrialResult
{
    Outcome outcome = Outcome::unclear;
    std::int64_t points = 0, missed = 0, unclear = 0, left_out = 0;
    Compared nearest; ///< the point that comes nearest to a miss, or misses most
    Numbers at;       ///< where it is
};

/// Reads a [[trial]] and checks it, but for the names of an experiment or function, which is not
/// read or looked up yet.
/// `folder` is where relative paths start.
Trial read_trial(ConfigValue const& table, std::string const& key,
                 std::filesystem::path const& folder);

/// Refuses a trial with a name that its source does not know, or that no outcome could miss: of
/// axes and constants alone, of two equal sides, against a bound that nothing measured can pass.
void check_trial(Trial const& trial);

/// Checks and runs a trial. Throws RunError where no point counts.
TrialResult run_trial(Trial const& trial);

} // namespace crx::claims
