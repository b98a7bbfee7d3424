#pragma once

#include "analysis/fluid/heavy_traffic.hh"
#include "host/results/panel_series.hh"

namespace crx {

/// How the instances of one cell are distributed (panels of kind histogram and exceedance): the
/// ratio of an instance over the panel's baseline, or a measure of a path of the iteration model.
///
/// Histogram: a point a bin, x its middle, y the share of instances in it; bins of one width begin
/// at its multiples. Exceedance: y is the share of instances whose value is x or more, at most 400
/// points. Intervals are Clopper and Pearson's, each for itself. A store keeps ratios by bins of at
/// most 1/1024 of their value: an exceedance is exact at their lower ends, which its x are, and a
/// bin of a histogram takes those whose middle it holds.
///
/// Instances without the denominator, unfinished runs and paths without arrivals are left out
/// (PointCounts). Empty where nothing is left. Throws InputError where there are several cells.
std::vector<Point> distribution_points(PanelSource const& source, Cells const& cells,
                                       std::size_t policy);

/// The width of a histogram's bins, of all policies and cells of the panel: 1, 2 or 5 times a power
/// of ten, so that at most 40 bins hold every value. Contract: there is a value.
double bin_width(PanelSource const& source);

/// The measures of single paths, by which their distributions and exponents are made. Contract:
/// `what` is a mean over paths.
fluid::PathMeasure path_measure(Measure what);

} // namespace crx
