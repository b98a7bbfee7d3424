#pragma once

#include "analysis/baseline/relaxation/configuration_graph.hh"
#include "analysis/baseline/relaxation/volume_steps.hh"

#include <optional>

namespace crx::baseline {

/// Prices that raise the bound of a ConfigurationGraph (configuration_bound has it), by the volume
/// algorithm (dual_ascent.hh), and what follows from them in integers.
class ConfigurationClimb
{
  public:
    /// Begins with the prices of `root`. All must outlive the climb; root.domain.starts() > 0.
    ConfigurationClimb(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       PriceBound const& root, Rounds upper);

    /// Chunks of `steps` until the gap below `upper` shrinks by less than a fiftieth in one, at
    /// most `most_steps` in all. In between and at the end starts and arcs that no better schedule
    /// uses are dropped. Returns the bound in 2^-20 rounds.
    std::int64_t climb(ConfigurationGraph& graph, StartDomain& domain, std::int64_t steps,
                       std::int64_t most_steps, TimeLimit const& limit);

    /// Of each set of the last graph, and of all that is no path, in 2^-20 rounds: together they
    /// bound TEL.
    std::vector<std::int64_t> const& set_costs() const { return exact_costs_; }
    std::int64_t constant() const { return exact_constant_; }
    std::int64_t steps() const { return volume_->steps(); }
    /// The prices by which the last climb dropped arcs, in order; the last give set_costs().
    std::vector<PathPrices> const& settled() const { return settled_; }

    /// What starts cost above the cheapest in `domain`, by the prices of `root`: for building.
    void extras(StartDomain const& domain, ConfigurationGraph::Settings& settings) const;

  private:
    void start_costs(std::vector<double> const& prices);
    double evaluate(ConfigurationGraph const& graph, std::vector<double> const& rows);
    std::vector<double> slack() const;
    PathPrices prices() const;
    std::int64_t settle(ConfigurationGraph& graph, StartDomain& domain);
    void restart(ConfigurationGraph const& graph);
    void step(ConfigurationGraph const& graph);

    OwnedInstance const& instance_;
    std::vector<RequestGroup> const& groups_;
    PriceBound const& root_;
    Rounds upper_;
    std::size_t starts_;
    std::vector<std::size_t> group_of_;
    PathRows rows_; // with a row for each request
    std::optional<VolumeSteps> volume_;

    std::vector<std::vector<double>> cost_; // [group][k]
    std::vector<float> set_cost_, least_;
    std::vector<std::vector<std::int32_t>> used_; // starts of each request at the last prices
    std::vector<std::int64_t> exact_costs_;
    std::int64_t exact_constant_ = 0;
    std::vector<PathPrices> settled_;
};

} // namespace crx::baseline
