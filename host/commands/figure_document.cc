#include "host/commands/figure_document.hh"

#include "host/json_number.hh"

namespace crx {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson axis_json(char const* name, spectrum::FigureAxis const& axis)
{
    return {{"name", name},
            {"label", axis.label},
            {"scale", axis.logarithmic ? "log" : "linear"},
            {"low", axis.low},
            {"high", axis.high}};
}

OrderedJson series_json(spectrum::FigureLine const& line)
{
    OrderedJson out{{"policy", line.label},          {"id", ""},          {"variant", ""},
                    {"label", line.label},           {"has_curve", true}, {"joined", false},
                    {"points", OrderedJson::array()}};
    for (auto const& point : line.points)
        out["points"].push_back(
            {{"x", point.x}, {"y", number_or_null(point.y)}, {"low", nullptr}, {"high", nullptr}});
    return out;
}

OrderedJson curve_json(spectrum::FigureLine const& line)
{
    OrderedJson out{{"id", ""},
                    {"label", line.label},
                    {"kind", line.kind},
                    {"group", line.group},
                    {"policies", OrderedJson::array()},
                    {"holds", true},
                    {"points", OrderedJson::array()}};
    for (auto const& point : line.points)
        out["points"].push_back({point.x, number_or_null(point.y)});
    return out;
}

} // namespace

OrderedJson figure_document(spectrum::Figure const& figure)
{
    OrderedJson out{{"format", 1},
                    {"title", ""},
                    {"caption", ""},
                    {"policies", OrderedJson::array()},
                    {"panels", OrderedJson::array()}};
    for (auto const& panel : figure) {
        OrderedJson one{{"number", out["panels"].size() + 1},
                        {"title", panel.title},
                        {"kind", "curve"},
                        {"caption", ""},
                        {"x_axis", axis_json("x", panel.x)},
                        {"y_axis", axis_json("y", panel.y)},
                        {"series", OrderedJson::array()},
                        {"curves", OrderedJson::array()}};
        for (auto const& line : panel.points) one["series"].push_back(series_json(line));
        for (auto const& line : panel.curves) one["curves"].push_back(curve_json(line));
        out["panels"].push_back(std::move(one));
    }
    return out;
}

} // namespace crx
