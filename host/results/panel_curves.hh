#pragma once

#include "host/results/panel_series.hh"

namespace crx {

/// A place of a line; where y is not finite the line breaks.
struct LinePoint
{
    double x, y;
};

/// A published curve, or a power of x to compare slopes with.
struct PanelCurve
{
    std::string id;                     ///< of the catalogue, or "x^-1"
    std::string label;                  ///< in the text of documents
    std::optional<double> series_value; ///< for which value of the series axis; none: for all
    std::vector<LinePoint> points;
};

/// The panel's theory curves on a fine grid of x. A curve takes the parameters that all cells have
/// in common; where the series axis changes it, there is one for each of its values. Throws
/// InputError if a parameter is missing, or varies along the panel and matters.
std::vector<PanelCurve> panel_curves(PanelSource const& source);

/// The value of one of these curves at a cell of the panel; none outside the curve's domain.
/// Contract: panel_curves(source) has it.
std::optional<double> curve_value(PanelSource const& source, std::string const& curve,
                                  CellResult const& cell);

/// The hypotheses of a curve that fail in some cell of a panel, in words; empty where it holds. A
/// curve that fails is a guide only.
std::vector<std::string> failed_hypotheses(PanelSource const& source, std::string const& curve);

/// What the small print says of the panels' guides; empty where all curves hold.
std::string guides_text(std::vector<PanelSource> const& panels);

/// The point of a panel that comes nearest to a curve, or lies farthest above it.
struct NearestPoint
{
    std::size_t policy; ///< its number in the store
    Point point;
    double bound; ///< the curve's value there

    double margin() const { return (bound - point.y) / bound; } ///< negative: above the curve
};

/// Among the points of the policies that the curve is about, where it says more than 1; none where
/// the panel has no such point, or the curve is a guide only there.
std::optional<NearestPoint> nearest_point(PanelSource const& source,
                                          std::vector<Series> const& series,
                                          std::string const& curve);

} // namespace crx
