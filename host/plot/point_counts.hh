#pragma once

#include "host/plot/panel_source.hh"

namespace crx {

/// Cells of a place on a panel's x axis that have no value for a policy: none of their runs ended,
/// none that did has the denominator, or some lack it where the measure needs it of all.
struct MissingValue
{
    std::size_t policy;
    std::optional<double> series_value;
    double x = 0;
    PointCounts counts; ///< of those cells together
    std::int64_t cells = 0, of_cells = 0;
    CellResult const* first = nullptr; ///< of these cells
};

/// All of them, by policy, value of the series axis and x. Where some cells of a place have a
/// value, the panel shows the largest of these.
std::vector<MissingValue> missing_values(PanelSource const& source);

/// "30 instances, 170 unfinished".
std::string counts_text(PointCounts const& counts);

/// What a figure's small print says of runs that did not end and of values that are not there,
/// policy by policy with the range of x, as enhanced text; empty where there is neither.
std::string unfinished_text(PanelSource const& source);

} // namespace crx
