#pragma once

#include "analysis/baseline/relaxation/configuration_graph.hh"
#include "analysis/baseline/relaxation/price_bound.hh"
#include "analysis/baseline/relaxation/volume_steps.hh"
#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/time_limit.hh"

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

namespace crx::baseline {

struct ConfigurationSettings
{
    std::int64_t steps = 400;             ///< of the climb on each graph, at most
    std::size_t most_arcs = 60'000'000;   ///< of a graph; they take about 10 bytes each
    std::size_t most_states = 20'000'000; ///< of the search at the end, 40 bytes each; 0: no search
    TimeLimit limit = 1e9;
};

struct ConfigurationOutcome
{
    /// Its lower_bound and domain; prices are those of the root, which bound less.
    PriceBound bound;
    bool complete = false; ///< no schedule has less than `upper`, or than `best` where that is set
    Starts best;           ///< a better schedule, if the search found one
    Rounds total_latency = 0;
    std::int64_t steps = 0;
    std::size_t arcs = 0;   ///< of the largest graph
    std::size_t states = 0; ///< of the search
    /// With the root's prices they repeat what was dropped: a proof where `complete`.
    std::vector<ConfigurationStage> stages;
};

/// A lower bound on OPT in which what is active together is one configuration, not a mean of
/// several (ConfigurationGraph), and the optimum itself where that leaves little.
///
/// With prices of memory and peak rows, cost c(i, k) of a start (Lagrangian) and pi_i, of any sign,
/// of "request i starts once", every schedule has
///   TEL >= constant + sum pi + the least sum of c(i, k) - pi_i along a path of the graph,
/// for it is a path itself, and its sum is TEL less what it leaves of rows, which is not negative.
/// Prices are climbed in floating point; what counts is evaluated in integers.
///
/// Graphs tell apart 1, 2, 3 and then all active requests. Arcs on whose cheapest path the bound
/// exceeds upper - 1 are dropped, and the next graph follows only what the last one has left
/// (successive sublimation, Ibaraki and Nakamura 1994, doi:10.1016/0377-2217(94)90228-3). Paths of
/// the last that start every request once are searched.
///
/// `root`: prices and domain to begin with. Contract: at most 64 requests; root.domain.starts() >
/// 0; a schedule of TEL `upper` is known.
ConfigurationOutcome configuration_bound(OwnedInstance const& instance,
                                         std::vector<RequestGroup> const& groups,
                                         PriceBound const& root, Rounds upper,
                                         ConfigurationSettings const& settings);

} // namespace crx::baseline
