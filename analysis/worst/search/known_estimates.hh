#pragma once

#include "analysis/worst/search/objective.hh"

#include <limits>
#include <unordered_map>

namespace crx::worst {

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

} // namespace crx::worst
