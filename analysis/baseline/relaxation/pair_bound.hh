#pragma once

#include "analysis/baseline/relaxation/price_bound.hh"
#include "analysis/baseline/time_limit.hh"

namespace crx::baseline {

struct PairSettings
{
    std::int64_t steps = 1200;          ///< of the climb, at most
    std::size_t most_states = 400'000;  ///< of PairStates
    std::int64_t most_arcs = INT64_MAX; ///< looked at, over all steps
    TimeLimit limit = 1e9;
};

struct PairOutcome
{
    Rounds lower_bound = 0; ///< on OPT, and at most `upper`; 0: none was made
    std::size_t states = 0;
    std::int64_t steps = 0;
    Prices prices;                          ///< that give it
    std::vector<std::int64_t> group_prices; ///< pi_g, in 2^-20 rounds
};

/// A lower bound on OPT from paths through PairStates, round by round. With prices of memory and of
/// peak rows, cost c(g, k) of a start (Lagrangian) and pi_g, of any sign, of "group g starts
/// count(g) times", every schedule of TEL < upper has
///   TEL >= constant + sum count(g) pi_g + the least sum of c(g, k) - pi_g along a path,
/// as in ConfigurationGraph; a start in round `starts` or later costs its own end at least. The
/// bound is evaluated in integers at the end, over all starts that root.domain allows.
///
/// Prices climb by the volume algorithm (dual_ascent.hh) on few starts of each group: those that
/// cheap paths through all states use. When prices have changed, they are looked for anew; prices
/// whose bound over all starts is lower are drawn half of the way back. Source of the method:
/// column generation with partial pricing, e.g. Luebbecke and Desrosiers (2005),
/// doi:10.1287/opre.1050.0234.
///
/// Contract: root.domain.starts() > 0; 1 <= starts <= root.domain.starts(); a schedule of TEL
/// `upper` is known.
PairOutcome pair_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       PriceBound const& root, Rounds upper, Rounds starts,
                       PairSettings const& settings);

} // namespace crx::baseline
