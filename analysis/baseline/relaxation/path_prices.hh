#pragma once

#include "analysis/baseline/relaxation/lagrangian.hh"

namespace crx::baseline {

/// Prices of rows, and of starting each request once: what bounds paths (ConfigurationGraph,
/// PairStates).
struct PathPrices
{
    Prices rows;
    std::vector<std::int64_t> requests; ///< of any sign, in 2^-20 rounds
};

/// What the bound by configurations did with one graph: the prices by which it dropped arcs, one
/// after the other.
struct ConfigurationStage
{
    std::size_t active = 0; ///< so many active requests were told apart; n: all
    std::vector<PathPrices> prices;
};

} // namespace crx::baseline
