#pragma once

#include "analysis/worst/instance_class.hh"
#include "analysis/worst/objective.hh"

#include <limits>
#include <unordered_map>

namespace crx::worst {

/// How long a search lasts. Neither threads nor the machine's speed change a result if it is the
/// number of generations that ends it.
struct AnnealingLimits
{
    std::int64_t generations = INT64_MAX;
    std::int64_t neighbours = 4000; ///< of a chain
    std::uint64_t seed = 1;
    std::function<bool()> stop = {}; ///< true: end soon, with what is there; empty: never
};

/// An instance and what it is worth.
struct Found
{
    OwnedInstance instance;
    double value = 0; ///< Objective::value of `settled`
    Settled settled;
};

/// What a search did.
struct AnnealingResult
{
    std::optional<Found> best; ///< nothing where no instance counted
    std::int64_t generations = 0, neighbours = 0;
    /// Chains that began with a random member, and how many of them ended at the best value. Where
    /// it is one or none, a longer search is likely to find more.
    std::int64_t restarts = 0, agreeing = 0;
};

/// Estimates of one objective, kept: a chain comes back to many of its neighbours. For one thread.
class KnownEstimates
{
  public:
    /// Contract: `objective` outlives this.
    explicit KnownEstimates(Objective const& objective) : objective_(objective) {}

    /// Objective::estimate of the same instance and limit.
    std::optional<double> estimate(OwnedInstance const& instance, double least);

  private:
    struct Known
    {
        std::optional<double> value;
        double below = std::numeric_limits<double>::infinity(); ///< the least limit that gave none
    };

    Objective const& objective_;
    std::string key_; ///< all numbers of the instance
    std::unordered_map<std::string, Known> known_;
};

/// Chains of a generation: fixed, so that the number of threads changes nothing.
inline constexpr int chains_a_generation = 16;

/// Looks for the member of the class that makes the objective largest: simulated annealing
/// (Kirkpatrick, Gelatt and Vecchi 1983) with restarts. A generation is a number of chains, each on
/// one thread; half of them begin with random members, the others with the best that earlier
/// generations found. A chain accepts a neighbour whose estimate is at least v U^T, where v is that
/// of its member, U is uniform and the temperature T falls to 0. As that threshold is drawn first,
/// a neighbour is left once a cheap bound says that it stays below. The best of each chain is
/// settled, so what counts at the end rests on no estimate.
///
/// `known` begins the list of good members. `on_better` hears of each new best, in no fixed order
/// of threads, one call at a time.
AnnealingResult anneal(InstanceClass const& of, Objective const& objective,
                       AnnealingLimits const& limits, std::vector<OwnedInstance> const& known = {},
                       std::function<void(Found const&)> const& on_better = {});

} // namespace crx::worst
