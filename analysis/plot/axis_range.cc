#include "analysis/plot/axis_range.hh"

#include <algorithm>

namespace crx::plot {

namespace {

/// The smallest and largest of some values, on the scale of an axis.
class Extent
{
  public:
    explicit Extent(bool logarithmic) : logarithmic_(logarithmic) {}

    void take(double value)
    {
        if (!std::isfinite(value) || (logarithmic_ && value <= 0)) return;
        double const at = logarithmic_ ? std::log10(value) : value;
        low = empty ? at : std::min(low, at);
        high = empty ? at : std::max(high, at);
        empty = false;
    }
    /// The extent with a margin of a share of its length at both ends, in the axis's own units; of
    /// one value, what lies around it, so that the marks are apart from each other.
    Range padded(double share) const
    {
        if (empty) return logarithmic_ ? Range{1, 10} : Range{0, 1};
        double const length = high - low;
        if (length > 0) return back({low - share * length, high + share * length});
        double const around = logarithmic_ ? 0.15 : std::max(std::abs(high) / 2, 1e-6);
        return back({low - around, high + around});
    }
    Range back(Range const& range) const
    {
        if (!logarithmic_) return range;
        return {std::pow(10, range.low), std::pow(10, range.high)};
    }

    double low = 0, high = 0;
    bool empty = true;

  private:
    bool logarithmic_;
};

/// The axis's own ends in place of those found; a logarithmic axis has none at or below zero.
Range with_ends(Range range, Axis const& axis)
{
    auto const usable = [&](std::optional<double> const& end) {
        return end && std::isfinite(*end) && (!axis.logarithmic || *end > 0);
    };
    if (usable(axis.low)) range.low = *axis.low;
    if (usable(axis.high)) range.high = *axis.high;
    if (range.high > range.low) return range;
    // Both ends cannot be had: keep the one that was asked for.
    if (usable(axis.high))
        range.low =
            axis.logarithmic ? range.high / 10 : range.high - std::max(1.0, std::abs(range.high));
    else
        range.high =
            axis.logarithmic ? range.low * 10 : range.low + std::max(1.0, std::abs(range.low));
    return range;
}

} // namespace

Range x_range(Panel const& panel)
{
    Extent extent(panel.x.logarithmic);
    for (auto const& series : panel.series)
        for (auto const& point : series.points) extent.take(point.x);
    for (auto const& curve : panel.curves)
        for (auto const& point : curve.points) extent.take(point.x);
    return with_ends(extent.padded(0.025), panel.x);
}

Range y_range(Panel const& panel)
{
    Extent points(panel.y.logarithmic), curves(panel.y.logarithmic);
    for (auto const& series : panel.series)
        for (auto const& point : series.points) {
            points.take(point.y);
            if (point.low) points.take(*point.low);
            if (point.high) points.take(*point.high);
        }
    for (auto const& curve : panel.curves)
        for (auto const& point : curve.points) curves.take(point.y);
    if (points.empty) return with_ends(curves.padded(0.05), panel.y);
    if (!curves.empty) {
        double const reach = panel.y.logarithmic ? 1 : points.high - points.low;
        auto const shown = points;
        points.low = std::clamp(curves.low, shown.low - reach, shown.low);
        points.high = std::clamp(curves.high, shown.high, shown.high + reach);
    }
    return with_ends(points.padded(0.06), panel.y);
}

} // namespace crx::plot
