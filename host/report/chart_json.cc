#include "analysis/plot/axis_range.hh"
#include "analysis/plot/palette.hh"
#include "host/experiment/experiment.hh"
#include "host/json_number.hh"
#include "host/report/chart.hh"
#include "host/report/html.hh"

#include <fmt/format.h>

namespace crx::report {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// A number to seven digits, which no eye and no copied value needs more of.
OrderedJson rounded(std::optional<double> value)
{
    if (!value || !std::isfinite(*value)) return nullptr;
    return std::stod(fmt::format("{:.7g}", *value));
}

/// Vega's shapes by the numbers of analysis/plot/palette.hh; a path where Vega has no name for it.
char const* shape_of(int shape)
{
    static constexpr char const* names[] = {"square",
                                            "circle",
                                            "circle",
                                            "triangle-up",
                                            "diamond",
                                            "triangle-down",
                                            "M-1,-1L1,1M1,-1L-1,1",
                                            "M-1,0L1,0M0,-1L0,1",
                                            "square",
                                            "diamond",
                                            "triangle-up"};
    return names[static_cast<std::size_t>(shape < 0 ? plot::circle : shape) % std::size(names)];
}

bool is_open(int shape)
{
    return shape == plot::open_circle || shape == plot::open_square ||
           shape == plot::open_diamond || shape == plot::open_triangle || shape == plot::cross ||
           shape == plot::plus;
}

OrderedJson dash_of(plot::Stroke stroke)
{
    switch (stroke) {
    case plot::Stroke::dashed: return {7, 4};
    case plot::Stroke::dotted: return {2, 3};
    case plot::Stroke::dash_dotted: return {9, 3, 2, 3};
    case plot::Stroke::long_dashed: return {13, 5};
    case plot::Stroke::solid:
    case plot::Stroke::none: break;
    }
    return {1, 0};
}

/// What a reader is told of a point, and where it lies.
OrderedJson point_row(ChartLine const& line, ChartPoint const& point, std::int64_t number)
{
    OrderedJson row{{"id", number},
                    {"s", line.id},
                    {"x", rounded(point.point.x)},
                    {"y", rounded(point.point.y)},
                    {"lo", rounded(point.point.low)},
                    {"hi", rounded(point.point.high)},
                    {"n", point.counts.behind},
                    {"cell", point.cell->index},
                    {"at", point_text(point.cell->coordinates)},
                    {"replay", point.replay}};
    auto const unfinished = point.counts.unfinished + point.counts.unfinished_elsewhere;
    if (unfinished > 0) row["unfinished"] = unfinished;
    if (point.counts.undivided > 0) row["undivided"] = point.counts.undivided;
    if (point.point.partial) row["partial"] = true;
    return row;
}

/// Every few points of a curve, with its ends and gaps: as many as a screen can show.
void add_curve(ChartLine const& line, OrderedJson& rows)
{
    constexpr std::size_t most = 160;
    auto const& points = line.curve_points;
    auto const step = points.size() / most + 1;
    bool was_gap = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
        bool const gap = !std::isfinite(points[i].y);
        if (i % step == 0 || i + 1 == points.size() || gap != was_gap)
            rows.push_back(
                {{"s", line.id}, {"x", rounded(points[i].x)}, {"y", rounded(points[i].y)}});
        was_gap = gap;
    }
}

/// A scale that gives each line of the key a value.
template <class Value>
OrderedJson by_line(Chart const& chart, Value value)
{
    OrderedJson domain = OrderedJson::array(), range = OrderedJson::array();
    for (auto const& line : chart.lines) {
        domain.push_back(line.id);
        range.push_back(value(line));
    }
    return {{"field", "s"},
            {"type", "nominal"},
            {"legend", nullptr},
            {"scale", {{"domain", domain}, {"range", range}}}};
}

OrderedJson position(char const* field, std::string const& title)
{
    return {{"field", field}, {"type", "quantitative"}, {"title", title}};
}

/// A layer of marks over one of the data sets, without the lines that the reader has switched off.
OrderedJson layer(char const* data, std::string const& only, OrderedJson mark, OrderedJson encoding)
{
    mark["clip"] = true;
    mark["aria"] = false; // the table beside the chart is what a screen reader reads
    auto filters = OrderedJson::array({{{"filter", "indexof(hidden, datum.s) < 0"}}});
    if (!only.empty()) filters.push_back({{"filter", only}});
    return {{"data", {{"name", data}}},
            {"transform", filters},
            {"mark", std::move(mark)},
            {"encoding", std::move(encoding)}};
}

/// "indexof(['s0','s2'], datum.s) >= 0": the series that are joined by a line, or those that are
/// not.
std::string among(Chart const& chart, bool joined)
{
    std::string list;
    for (auto const& line : chart.lines)
        if (!line.points.empty() && (line.style.stroke != plot::Stroke::none) == joined)
            list += (list.empty() ? "'" : ",'") + line.id + "'";
    return "indexof([" + list + "], datum.s) >= 0";
}

OrderedJson spec_of(Chart const& chart)
{
    auto points = OrderedJson::array(), curves = OrderedJson::array();
    for (auto const& line : chart.lines) {
        for (auto const& point : line.points)
            points.push_back(point_row(line, point, static_cast<std::int64_t>(points.size())));
        add_curve(line, curves);
    }
    auto const x = position("x", plain_of_enhanced(chart.panel.x.label));
    auto const y = position("y", plain_of_enhanced(chart.panel.y.label));
    auto const ends = [&] {
        OrderedJson low = y;
        low["field"] = "lo";
        return low;
    }();
    OrderedJson const high{{"field", "hi"}};
    auto const colour =
        by_line(chart, [](ChartLine const& line) { return plot::colour_code(line.style.colour); });
    auto const inside = by_line(chart, [](ChartLine const& line) {
        return is_open(line.style.shape) ? "#ffffff" : plot::colour_code(line.style.colour);
    });
    auto const shape =
        by_line(chart, [](ChartLine const& line) { return shape_of(line.style.shape); });
    auto const dash =
        by_line(chart, [](ChartLine const& line) { return dash_of(line.style.stroke); });
    std::string const interval = "isValid(datum.lo) && isValid(datum.hi)";
    auto layers = OrderedJson::array();
    layers.push_back(layer("points", among(chart, true) + " && " + interval,
                           {{"type", "area"}, {"opacity", 0.18}},
                           {{"x", x}, {"y", ends}, {"y2", high}, {"color", colour}}));
    layers.push_back(layer("curves", "", {{"type", "line"}, {"strokeWidth", 1.6}},
                           {{"x", x}, {"y", y}, {"stroke", colour}, {"strokeDash", dash}}));
    layers.push_back(layer("points", among(chart, true), {{"type", "line"}, {"strokeWidth", 1.2}},
                           {{"x", x}, {"y", y}, {"stroke", colour}, {"strokeDash", dash}}));
    layers.push_back(layer("points", among(chart, false) + " && " + interval,
                           {{"type", "rule"}, {"strokeWidth", 1.4}},
                           {{"x", x}, {"y", ends}, {"y2", high}, {"stroke", colour}}));
    layers.push_back(layer("points", "datum.partial === true",
                           {{"type", "point"},
                            {"shape", "circle"},
                            {"size", 200},
                            {"strokeWidth", 1},
                            {"filled", false}},
                           {{"x", x}, {"y", y}, {"stroke", colour}}));
    layers.push_back(layer(
        "points", "", {{"type", "point"}, {"size", 46}, {"strokeWidth", 1.4}, {"fillOpacity", 1}},
        {{"x", x}, {"y", y}, {"stroke", colour}, {"fill", inside}, {"shape", shape}}));
    layers.push_back(layer("points", "datum.id === picked",
                           {{"type", "point"},
                            {"shape", "circle"},
                            {"size", 320},
                            {"strokeWidth", 2.5},
                            {"filled", false}},
                           {{"x", x}, {"y", y}, {"stroke", {{"value", "#000000"}}}}));
    // What the pointer meets: wider than the symbols.
    layers.push_back(layer("points", "",
                           {{"type", "point"},
                            {"shape", "circle"},
                            {"size", 220},
                            {"filled", true},
                            {"opacity", 0},
                            {"cursor", "pointer"},
                            {"tooltip", {{"content", "data"}}}},
                           {{"x", x}, {"y", y}}));
    return {{"width", "container"},
            {"height", 360},
            {"autosize", {{"type", "fit"}, {"contains", "padding"}, {"resize", true}}},
            {"params",
             {{{"name", "hidden"}, {"value", OrderedJson::array()}},
              {{"name", "picked"}, {"value", -1}}}},
            {"datasets", {{"points", points}, {"curves", curves}}},
            {"layer", layers}};
}

/// Whether a logarithmic scale can show something of the panel.
bool has_positive(plot::Panel const& panel, double plot::Point::*coordinate)
{
    auto const any = [&](auto const& lines) {
        for (auto const& line : lines)
            for (auto const& point : line.points)
                if (point.*coordinate > 0) return true;
        return false;
    };
    return any(panel.series) || any(panel.curves);
}

OrderedJson axis_of(plot::Panel panel, plot::Axis plot::Panel::*axis,
                    double plot::Point::*coordinate, plot::Range (*range)(plot::Panel const&))
{
    auto& drawn = panel.*axis;
    OrderedJson out{{"log", drawn.logarithmic}, {"linear", nullptr}, {"logarithmic", nullptr}};
    for (bool const logarithmic : {false, true}) {
        if (logarithmic && !has_positive(panel, coordinate)) continue;
        drawn.logarithmic = logarithmic;
        auto const ends = range(panel);
        out[logarithmic ? "logarithmic" : "linear"] = {rounded(ends.low), rounded(ends.high)};
    }
    return out;
}

} // namespace

OrderedJson chart_json(Chart const& chart)
{
    OrderedJson names = OrderedJson::object(), joined = OrderedJson::array();
    for (auto const& line : chart.lines) {
        names[line.id] = plain_of_enhanced(line.label);
        if (!line.points.empty() && line.style.stroke != plot::Stroke::none)
            joined.push_back(line.id);
    }
    return {{"spec", spec_of(chart)},
            {"axes",
             {{"x", axis_of(chart.panel, &plot::Panel::x, &plot::Point::x, plot::x_range)},
              {"y", axis_of(chart.panel, &plot::Panel::y, &plot::Point::y, plot::y_range)}}},
            {"names", names},
            {"joined", joined},
            {"x", plain_of_enhanced(chart.panel.x.label)},
            {"y", plain_of_enhanced(chart.panel.y.label)}};
}

} // namespace crx::report
