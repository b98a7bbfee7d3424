#include "host/results/panel_fits.hh"

#include "host/results/distribution.hh"
#include "host/results/path_points.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace crx {

namespace {

std::optional<Regression> fit_series(Panel const& panel, std::vector<FitPoint> const& points,
                                     double confidence)
{
    if (panel.fit == "linear") return regress_line(points, confidence);
    if (panel.fit == "log-log") return regress_power(points, confidence);
    auto on_logarithms = points;
    for (auto& point : on_logarithms) {
        if (!(point.x > 0)) return std::nullopt;
        point.x = std::log(point.x);
    }
    return regress_line(on_logarithms, confidence);
}

/// How the slope goes on: of the first and of the second half of the points, the middle one in both
/// where they are odd in number.
void compare_halves(Panel const& panel, std::vector<FitPoint> const& points, double confidence,
                    PanelFit& fit)
{
    if (points.size() < 4) return;
    auto const half = static_cast<std::ptrdiff_t>((points.size() + 1) / 2);
    auto const first = fit_series(panel, {points.begin(), points.begin() + half}, confidence);
    auto const second = fit_series(panel, {points.end() - half, points.end()}, confidence);
    if (!first || !second) return;
    fit.first_half = first->slope;
    fit.second_half = second->slope;
    auto const width = first->sampling.value_or(0) + second->sampling.value_or(0);
    auto const change = std::abs(first->slope - second->slope);
    fit.changing = change > width && change > 0.05 * std::abs(fit.fit->slope);
}

std::vector<FitPoint> points_of(Panel const& panel, Series const& series)
{
    std::vector<FitPoint> points;
    for (auto const& p : series.points) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
        if (panel.fit_from && p.x < *panel.fit_from) continue;
        FitPoint point{p.x, p.y, {}};
        if (p.low && p.high) point.half_width = (*p.high - *p.low) / 2;
        points.push_back(point);
    }
    return points;
}

/// The exponent with its interval from groups of paths (fluid::exponent), in place of what the
/// points alone show.
void use_groups_of_paths(PanelSource const& source, Series const& series, Regression& fit,
                         double from)
{
    auto const cells = source.cells_at(series.series_value.value_or(gap));
    auto const at = std::ranges::find_if(
        cells, [&](auto const* cell) { return same_value(*value_of(*cell, "horizon"), from); });
    if (at == cells.end()) return;
    auto const exponent = fluid::exponent(tallies_of(**at, series.policy), (*at)->horizon,
                                          path_measure(source.measure), source.confidence);
    if (!std::isfinite(exponent.value)) return;
    // All paths alike: what is left of a slope is rounding.
    bool const none = !std::isfinite(exponent.half_width) && std::abs(exponent.value) < 1e-9;
    fit.slope = none ? 0 : exponent.value;
    fit.scatter.reset();
    fit.sampling.reset();
    if (std::isfinite(exponent.half_width)) fit.sampling = exponent.half_width;
}

PanelFit fit_of(PanelSource const& source, Series const& series)
{
    PanelFit out;
    auto const points = points_of(source.panel, series);
    if (points.empty()) return out;
    out.from = points.front().x;
    out.to = points.back().x;
    out.fit = fit_series(source.panel, points, source.confidence);
    if (out.fit) compare_halves(source.panel, points, source.confidence, out);
    if (out.fit && fits_horizons(source)) use_groups_of_paths(source, series, *out.fit, out.from);
    return out;
}

/// Decimals of two digits of a half-width; below 0 from 100 on.
int decimals_of_error(double half_width)
{
    return 1 - static_cast<int>(std::floor(std::log10(half_width)));
}

} // namespace

bool fits_horizons(PanelSource const& source)
{
    auto const measures = {Measure::throughput_gap,   Measure::throughput_gap_as_in_8,
                           Measure::throughput,       Measure::mean_latency,
                           Measure::mean_first_token, Measure::peak_memory};
    return source.panel.fit == "log-log" && source.panel.x == "horizon" &&
           source.panel.worst_over.empty() && source.panel.series != "type" &&
           !source.panel.where.contains("type") &&
           std::ranges::find(measures, source.measure) != measures.end();
}

std::vector<PanelFit> panel_fits(PanelSource const& source, std::vector<Series> const& series)
{
    std::vector<PanelFit> fits;
    if (source.panel.fit.empty()) return fits;
    for (auto const& one : series) fits.push_back(fit_of(source, one));
    return fits;
}

std::string written_with_error(double value, std::optional<double> half_width)
{
    if (!half_width || !(*half_width > 0) || !std::isfinite(*half_width))
        return fmt::format("{:.4g}", value);
    auto const digits = decimals_of_error(*half_width);
    if (digits < 0) return fmt::format("{:.0f} ± {:.2g}", value, *half_width);
    // A half-width of rounding errors has no digits that a double could show.
    if (digits > 9)
        return fmt::format("{:.{}f} ± {:.2g}", value, std::min(digits, 15), *half_width);
    return fmt::format("{:.{}f} ± {:.{}f}", value, digits, *half_width, digits);
}

std::string written_with_interval(double value, double low, double high, bool with_error)
{
    double const half_width = (high - low) / 2;
    if (!(half_width > 0) || !std::isfinite(half_width))
        return fmt::format("{0:.6g}  [{1:.6g}, {2:.6g}]", value, low, high);
    // The ends to five digits, and never to fewer decimals than the value.
    auto const least = with_error ? std::clamp(decimals_of_error(half_width), 0, 15) : -99;
    auto const digits = [&](double x) -> std::string {
        if (x == 0) return "0";
        auto const five = 4 - static_cast<int>(std::floor(std::log10(std::abs(x))));
        return least >= five ? fmt::format("{:.{}f}", x, least) : fmt::format("{:.5g}", x);
    };
    auto const ends = std::pair(digits(low), digits(high));
    auto text = with_error ? written_with_error(value, half_width) : digits(value);
    // A value at an end, as percentiles have, may have been rounded past it.
    auto const shown = std::stod(text);
    if (shown < std::stod(ends.first) || shown > std::stod(ends.second))
        text = digits(value) + (with_error ? fmt::format(" ± {:.2g}", half_width) : "");
    return fmt::format("{}  [{}, {}]", text, ends.first, ends.second);
}

std::vector<LinePoint> fitted_line(Panel const& panel, PanelFit const& fit)
{
    constexpr int steps = 100;
    std::vector<LinePoint> points;
    for (int i = 0; i <= steps; ++i) {
        double const share = static_cast<double>(i) / steps;
        double const x = panel.log_x && fit.from > 0 ? fit.from * std::pow(fit.to / fit.from, share)
                                                     : fit.from + share * (fit.to - fit.from);
        double const y =
            panel.fit == "log-log"
                ? std::exp(fit.fit->intercept) * std::pow(x, fit.fit->slope)
                : fit.fit->intercept + fit.fit->slope * (panel.fit == "log" ? std::log(x) : x);
        points.push_back({x, panel.log_y && y <= 0 ? gap : y});
    }
    return points;
}

std::string written_slope(std::string const& fit, double slope, std::optional<double> half_width)
{
    auto const name = fit == "linear" ? "slope" : fit == "log" ? "slope in ln x" : "exponent";
    return fmt::format("{} {}", name, written_with_error(slope, half_width));
}

std::string fit_label(Panel const& panel, PanelFit const& fit)
{
    return written_slope(panel.fit, fit.fit->slope, fit.fit->half_width()) +
           (fit.changing ? fmt::format(", still changing ({:.3g} to {:.3g})", *fit.first_half,
                                       *fit.second_half)
                         : "");
}

} // namespace crx
