#include "host/plot/panel_fits.hh"

#include <fmt/format.h>

namespace crx {

namespace {

std::optional<Regression> fit_series(Panel const& panel, std::vector<FitPoint> const& points,
                                     double confidence)
{
    return panel.fit == "linear" ? regress_line(points, confidence)
                                 : regress_power(points, confidence);
}

std::vector<FitPoint> points_of(Panel const& panel, plot::Series const& series)
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

PanelFit fit_of(PanelSource const& source, SeriesOrigin const& origin, plot::Series const& series)
{
    PanelFit out{source.policies[origin.policy].label, origin.series_value, 0, 0, {}};
    auto const points = points_of(source.panel, series);
    if (points.empty()) return out;
    out.from = points.front().x;
    out.to = points.back().x;
    out.fit = fit_series(source.panel, points, source.confidence);
    return out;
}

/// The fitted line on a grid that is fine on either scale.
std::vector<plot::Point> line_of(Panel const& panel, PanelFit const& fit)
{
    constexpr int steps = 100;
    std::vector<plot::Point> points;
    for (int i = 0; i <= steps; ++i) {
        double const share = static_cast<double>(i) / steps;
        double const x = panel.log_x && fit.from > 0 ? fit.from * std::pow(fit.to / fit.from, share)
                                                     : fit.from + share * (fit.to - fit.from);
        double const y = panel.fit == "linear"
                             ? fit.fit->intercept + fit.fit->slope * x
                             : std::exp(fit.fit->intercept) * std::pow(x, fit.fit->slope);
        points.push_back({x, panel.log_y && y <= 0 ? plot::gap : y, {}, {}});
    }
    return points;
}

} // namespace

std::vector<PanelFit> panel_fits(PanelSource const& source)
{
    std::vector<PanelFit> fits;
    if (source.panel.fit.empty()) return fits;
    std::vector<SeriesOrigin> origins;
    auto const all = panel_series(source, &origins);
    for (std::size_t i = 0; i < all.size(); ++i) fits.push_back(fit_of(source, origins[i], all[i]));
    return fits;
}

std::string written_with_error(double value, std::optional<double> half_width)
{
    if (!half_width || !(*half_width > 0) || !std::isfinite(*half_width))
        return fmt::format("{:.4g}", value);
    auto const digits = 1 - static_cast<int>(std::floor(std::log10(*half_width)));
    if (digits > 9 || digits < 0) return fmt::format("{:.4g} ± {:.2g}", value, *half_width);
    return fmt::format("{:.{}f} ± {:.{}f}", value, digits, *half_width, digits);
}

void draw_fits(PanelSource const& source, plot::Panel& panel)
{
    auto const fits = panel_fits(source);
    for (std::size_t i = 0; i < fits.size(); ++i) {
        if (!fits[i].fit) continue;
        auto& series = panel.series[i];
        auto style = series.style;
        style.shape = -1;
        style.stroke = plot::Stroke::solid;
        series.style.stroke = plot::Stroke::none;
        panel.curves.push_back({"", style, line_of(source.panel, fits[i])});
        series.label +=
            fmt::format("{}{} {}", series.label.empty() ? "" : ": ",
                        source.panel.fit == "linear" ? "slope" : "exponent",
                        written_with_error(fits[i].fit->slope, fits[i].fit->half_width()));
    }
}

} // namespace crx
