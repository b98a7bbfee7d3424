#pragma once

#include "host/plot/panel_source.hh"

#include <nlohmann/json.hpp>

namespace crx::report {

/// A point of a chart with what a reader is told of it.
struct ChartPoint
{
    plot::Point point;
    PointCounts counts;
    CellResult const* cell;
    std::int64_t instance; ///< of its cell, to run again: the worst one, or the first
    std::string replay;    ///< the command that does
};

/// A line of a chart's key. `id` is "s0", "s1", .. for measured series and "c0", .. for curves.
struct ChartLine
{
    std::string id;
    std::string label; ///< enhanced text
    plot::Style style;
    std::vector<ChartPoint> points;        ///< of a measured series
    std::vector<plot::Point> curve_points; ///< of a curve
};

/// A panel as the page draws it.
struct Chart
{
    plot::Panel panel;
    std::vector<ChartLine> lines; ///< series, then curves
};

/// Adds to a drawn panel where each point comes from. `store` stands for the store in commands;
/// `fallback` is the baseline whose worst instance is named where the panel has none.
Chart make_chart(PanelSource const& source, plot::Panel panel, std::string const& store,
                 std::optional<BaselineKind> fallback);

/// What the page's script reads: `spec` is a Vega-Lite chart with its data, without the scales of x
/// and y; `axes.x` and `axes.y` say whether the axis is logarithmic at first (`log`) and give the
/// ends of a `linear` and, where there are positive values, a `logarithmic` scale.
nlohmann::ordered_json chart_json(Chart const& chart);

} // namespace crx::report
