#pragma once

#include "analysis/statistics/summary.hh"

#include <utility>
#include <vector>

namespace crx {

/// A cell on a line along the refined axis, as far as refinement looks.
struct LineCell
{
    double value = 0;             ///< on the axis
    std::vector<RatioSum> ratios; ///< of each policy, over the baseline
};

/// Where the next cells of a line belong: the neighbours between which each lies, ascending.
///
/// For each policy the worst cell is that with the largest mean of ratios, over the instances that
/// have the baseline (the one with the least value between equals; cells without such instances do
/// not count); a cell is due between it and either neighbour. `line` ascends by value.
std::vector<std::pair<double, double>> gaps_to_refine(std::vector<LineCell> const& line);

} // namespace crx
