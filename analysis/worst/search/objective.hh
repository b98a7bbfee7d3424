#pragma once

#include "analysis/baseline/schedule.hh"
#include "kernels/policies/policy_spec.cuh"

#include <functional>
#include <optional>
#include <string>

namespace crx::worst {

/// What of a schedule counts.
enum class Measure
{
    total_latency, ///< TEL
    p99,           ///< the ceil(0.99 n)-th smallest latency
    makespan,      ///< the last completion
};

/// A side of the ratio that is some algorithm's: the sum of its measure over `draws` runs.
struct Cost
{
    std::string id;
    std::int64_t draws = 1; ///< instances 0 .. draws - 1 of its random choices; 1 if it draws none
    /// Nothing where it does not finish the instance or takes none like it. Several threads call it
    /// at once. Contract: every request fits by u.
    std::function<std::optional<std::int64_t>(OwnedInstance const&)> sum;
};

/// A registered policy, by the engines.
Cost policy_cost(PolicySpec const& spec, std::uint64_t seed, std::int64_t draws, Measure measure);

/// What stands below.
enum class Over
{
    opt,        ///< the optimum, proven
    best_found, ///< `best-found` of analysis/baseline
    volume,     ///< the volume bound, or the release bound where requests arrive later than 0
    cost,       ///< another algorithm
};

/// A ratio of two whole numbers, not reduced. Contract: below > 0.
struct Ratio
{
    std::int64_t above = 0, below = 1;

    double value() const { return static_cast<double>(above) / static_cast<double>(below); }
    friend bool operator<(Ratio const& a, Ratio const& b)
    {
        return static_cast<__int128>(a.above) * b.below < static_cast<__int128>(b.above) * a.below;
    }
};

/// A ratio with all that proves it.
struct Settled
{
    Ratio ratio;
    std::int64_t numerator = 0;   ///< sum over the draws of Objective::numerator
    std::int64_t denominator = 0; ///< likewise; of opt the TEL of `starts`
    std::int64_t lower = 0;       ///< a proven lower bound on opt; the denominator itself elsewhere
    baseline::Starts starts;      ///< of opt and best_found: a schedule
    std::string lower_bound_id;   ///< what proves `lower`
    bool proven() const { return lower == denominator; }
};

/// What a search makes large: one cost over another, and the bound that it has to break, if any.
struct Objective
{
    Cost numerator;
    Over over = Over::opt;
    Cost denominator = {}; ///< of Over::cost
    /// The ratio is divided by this; nothing: the bound says nothing of the instance, which then
    /// does not count. Empty: no bound.
    std::function<std::optional<double>(OwnedInstance const&)> bound = {};
    std::int64_t nodes = 1'000'000; ///< of a search for the optimum
    double seconds = 1e9;           ///< likewise; only the nodes repeat exactly

    /// A value that the truth is never below (opt and best-found: over the best of a short search
    /// for schedules). Nothing where it is surely below `least`, by bounds that cost little, or
    /// where the instance does not count.
    std::optional<double> estimate(OwnedInstance const& instance, double least) const;
    /// The same with nothing left open, as far as `nodes` allow.
    std::optional<Settled> settle(OwnedInstance const& instance) const;
    /// ratio over bound.
    std::optional<double> value(OwnedInstance const& instance, Ratio const& ratio) const;
};

} // namespace crx::worst
