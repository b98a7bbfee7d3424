#include "host/results/panel_curves.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "host/error.hh"

#include <fmt/format.h>

#include <set>

namespace crx {

namespace {

using bounds::CurveParameters;
using bounds::CurveReader;

/// A cell's parameter by the name that the catalogue knows it by.
std::string curve_name(std::string const& parameter)
{
    if (parameter == "lower") return "l";
    if (parameter == "upper") return "u";
    if (parameter == "prompt") return "s";
    return parameter;
}

CurveParameters parameters_of(CellResult const& cell)
{
    CurveParameters found;
    for (auto const& [name, value] : cell.parameters) found[curve_name(name)] = value;
    for (auto const& [name, value] : cell.coordinates) found[curve_name(name)] = value;
    return found;
}

/// What all cells have in common, without the axis over which the worst is shown.
CurveParameters common_parameters(PanelSource const& source, Cells const& cells)
{
    auto common = parameters_of(*cells.front());
    for (auto const* cell : cells) {
        auto const here = parameters_of(*cell);
        std::erase_if(common, [&](auto const& entry) {
            auto const found = here.find(entry.first);
            return found == here.end() || !same_value(found->second, entry.second);
        });
    }
    common.erase(curve_name(source.panel.worst_over));
    return common;
}

/// Sets x; alpha as x stands for the lower end, which the curves would else take first.
void set_x(CurveParameters& at, std::string const& name, double x)
{
    if (name == "alpha") at.erase("l");
    at[name] = x;
}

/// Places at which a curve is evaluated: evenly on the axis's scale, whole numbers for lengths.
std::vector<double> grid(Panel const& panel, double low, double high)
{
    constexpr int steps = 400;
    std::set<double> places;
    bool const whole = curve_name(panel.x) == "u" || curve_name(panel.x) == "l";
    for (int i = 0; i <= steps; ++i) {
        double const share = static_cast<double>(i) / steps;
        double x =
            panel.log_x && low > 0 ? low * std::pow(high / low, share) : low + share * (high - low);
        if (i == steps) x = high;
        places.insert(whole ? std::round(x) : x);
    }
    return {places.begin(), places.end()};
}

/// Refuses a curve that would take prompts to be 0 where they are drawn from a law.
void require_known_prompts(PanelSource const& source, bounds::Curve const& curve,
                           CurveReader const& reader)
{
    bool const assumed = (reader.read().contains("s") && !reader.has("s")) ||
                         (reader.read().contains("s_over_u") && !reader.has("s_over_u"));
    if (!assumed) return;
    for (auto const* cell : source.cells)
        if (!cell->identity.empty() && !value_of(*cell, "prompt"))
            throw InputError(fmt::format("{}: curve {} is of one prompt length, and these cells "
                                         "have prompts of several\n  its parameters: {}",
                                         source.place, curve.id, curve.parameters));
}

/// `why`: set where the place is outside the curve's domain.
std::optional<double> evaluate(PanelSource const& source, bounds::Curve const& curve,
                               CurveParameters const& at, std::string& why)
{
    CurveReader const reader(at);
    try {
        double const value = curve.function(reader);
        require_known_prompts(source, curve, reader);
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    } catch (std::domain_error const& error) {
        why = error.what();
        return std::nullopt;
    } catch (std::invalid_argument const& error) {
        throw InputError(fmt::format("{}: curve {}: {}, the same in all cells shown\n"
                                     "  its parameters: {}",
                                     source.place, curve.id, error.what(), curve.parameters));
    }
}

/// Refuses a curve that depends on something that varies from cell to cell beside x.
void check_dependence(PanelSource const& source, bounds::Curve const& curve, Cells const& cells,
                      CurveParameters const& common)
{
    auto const name = curve_name(source.panel.x);
    for (auto const* cell : cells) {
        double const x = *value_of(*cell, source.panel.x);
        auto drawn = common, own = parameters_of(*cell);
        set_x(drawn, name, x);
        set_x(own, name, x);
        std::string why;
        auto const one = evaluate(source, curve, drawn, why);
        auto const other = evaluate(source, curve, own, why);
        if (one && !other)
            throw InputError(fmt::format("{}: curve {} does not hold for all cells shown\n  {}",
                                         source.place, curve.id, why));
        if (one && other && std::abs(*one - *other) > 1e-6 * std::abs(*other))
            throw InputError(fmt::format(
                "{}: curve {} depends on more than {}: it would be {:.6g} or {:.6g} at {:.6g}\n"
                "  its parameters: {}; hold them fixed by `where`, or make one the series",
                source.place, curve.id, source.panel.x, *one, *other, x, curve.parameters));
    }
}

std::vector<LinePoint> points_of(PanelSource const& source, bounds::Curve const& curve,
                                 Cells const& cells)
{
    auto at = common_parameters(source, cells);
    check_dependence(source, curve, cells, at);
    auto const xs = values_among(source.cells, source.panel.x, source.place);
    std::vector<LinePoint> points;
    bool any = false;
    std::string why;
    for (double const x : grid(source.panel, xs.front(), xs.back())) {
        set_x(at, curve_name(source.panel.x), x);
        auto const y = evaluate(source, curve, at, why);
        any |= y.has_value();
        points.push_back({x, y.value_or(gap)});
    }
    if (!any)
        throw InputError(fmt::format("{}: curve {} has no value for any {} from {:.6g} to {:.6g}{}",
                                     source.place, curve.id, source.panel.x, xs.front(), xs.back(),
                                     why.empty() ? "" : "\n  " + why));
    return points;
}

bool same_line(std::vector<LinePoint> const& a, std::vector<LinePoint> const& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](LinePoint const& p, LinePoint const& q) {
                          return same_value(p.x, q.x) &&
                                 (same_value(p.y, q.y) || (std::isnan(p.y) && std::isnan(q.y)));
                      });
}

/// The same curve for all values of the series axis, or one for each if they differ.
std::vector<PanelCurve> curves_of(PanelSource const& source, bounds::Curve const& curve)
{
    bool const guide = !failed_hypotheses(source, curve.id).empty();
    auto const label = curve.legend + (guide ? ", guide only" : "");
    std::vector<PanelCurve> found;
    for (double const value : source.series_values())
        found.push_back({curve.id, label + ", " + series_text(source, value), value,
                         points_of(source, curve, source.cells_at(value))});
    if (!std::ranges::all_of(found, [&](PanelCurve const& other) {
            return same_line(found.front().points, other.points);
        }))
        return found;
    return {{curve.id, label, {}, std::move(found.front().points)}};
}

/// Powers of x that panels of the iteration model may be compared with.
struct Power
{
    std::string_view id, text;
    double exponent;
};
constexpr Power powers[] = {{"x^-1", "slope −1", -1},
                            {"x^-1/2", "slope −1/2", -0.5},
                            {"x^1/2", "slope 1/2", 0.5},
                            {"x^1", "slope 1", 1}};

/// A line of that slope through the first point of the first series.
PanelCurve power_line(PanelSource const& source, Power const& power)
{
    PanelCurve line{std::string(power.id), std::string(power.text), {}, {}};
    auto const series = panel_series(source);
    if (series.empty()) return line;
    auto const& first = series.front().points.front();
    for (double const x : grid(source.panel, first.x, series.front().points.back().x))
        line.points.push_back({x, first.y * std::pow(x / first.x, power.exponent)});
    return line;
}

} // namespace

std::optional<double> curve_value(PanelSource const& source, std::string const& curve,
                                  CellResult const& cell)
{
    auto at = parameters_of(cell);
    at.erase(curve_name(source.panel.worst_over));
    set_x(at, curve_name(source.panel.x), *value_of(cell, source.panel.x));
    std::string why;
    return evaluate(source, *bounds::find_curve(curve), at, why);
}

std::vector<PanelCurve> panel_curves(PanelSource const& source)
{
    std::vector<PanelCurve> all;
    for (auto const& id : source.panel.curves)
        for (auto const& power : powers)
            if (power.id == id) all.push_back(power_line(source, power));
    if (source.measure == Measure::argmax || !is_ratio(source.measure)) return all;
    for (auto const& id : source.panel.curves) {
        auto const* curve = bounds::find_curve(id);
        if (curve == nullptr)
            throw InputError(fmt::format("{}: there is no curve \"{}\"", source.place, id));
        for (auto& line : curves_of(source, *curve)) all.push_back(std::move(line));
    }
    return all;
}

} // namespace crx
