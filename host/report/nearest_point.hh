#pragma once

#include "host/plot/panel_source.hh"

namespace crx::report {

/// The point of a panel that comes nearest to a curve, or lies farthest above it.
struct NearestPoint
{
    CellResult const* cell;
    std::size_t policy; ///< its number in the store
    plot::Point point;  ///< as it is drawn
    double bound;       ///< the curve's value there

    double margin() const { return (bound - point.y) / bound; } ///< negative: above the curve
};

/// Among the points of the policies that the curve is about, where it says more than 1; none where
/// the panel has no such point, or the curve is a guide only there. Throws InputError as
/// panel_series and panel_curves do.
std::optional<NearestPoint> nearest_point(PanelSource const& source, std::string const& curve);

} // namespace crx::report
