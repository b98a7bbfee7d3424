#pragma once

#include "analysis/worst/search/objective.hh"

#include <unordered_map>

namespace crx::worst {

/// Estimates of one objective, each instance's worked out once: most neighbours that a chain looks
/// at it has looked at before. For one thread.
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
        double below; ///< without a value: the least limit that gave nothing
    };

    Objective const& objective_;
    std::string key_; ///< all numbers of the instance
    std::unordered_map<std::string, Known> known_;
};

} // namespace crx::worst
