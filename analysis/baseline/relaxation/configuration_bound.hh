#pragma once

#include "analysis/baseline/relaxation/price_bound.hh"
#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/time_limit.hh"

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
