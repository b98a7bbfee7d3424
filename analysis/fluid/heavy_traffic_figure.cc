#include "analysis/fluid/heavy_traffic_figure.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/palette.hh"

#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crx::fluid {
namespace {

using plot::Stroke;

/// Through the first curve's first point.
plot::Curve reference(std::vector<LabelledCurve> const& curves, PathMean HorizonPoint::*measure,
                      double slope, std::string label, Stroke stroke)
{
    auto const& points = curves.front().curve.points;
    auto const x0 = points.front().horizon, x1 = points.back().horizon;
    auto const y0 = (points.front().*measure).mean;
    return {std::move(label),
            {plot::grey, -1, stroke, 1},
            {{x0, y0, {}, {}}, {x1, y0 * std::pow(x1 / x0, slope), {}, {}}}};
}

/// The exponent with two digits of its half-width, four places at most; "0" if that is nothing.
std::string exponent_text(Exponent const& fit)
{
    if (!std::isfinite(fit.value)) return "none";
    bool const alone = !std::isfinite(fit.half_width);
    if (std::abs(fit.value) < 5e-5 && (alone || fit.half_width < 5e-5)) return "0";
    if (alone) return fmt::format("{}{:.4f}", fit.value < 0 ? "−" : "", std::abs(fit.value));
    double const half = std::max(fit.half_width, 5e-5);
    int const places = std::clamp(1 - static_cast<int>(std::floor(std::log10(half))), 1, 4);
    auto const value = fmt::format("{:.{}f}", std::abs(fit.value), places);
    bool const below = fit.value < 0 && value.find_first_not_of("0.") != std::string::npos;
    return fmt::format("{}{} ± {:.{}f}", below ? "−" : "", value, fit.half_width, places);
}

plot::Panel panel(std::vector<LabelledCurve> const& curves, std::string title,
                  PathMean HorizonPoint::*measure, Exponent HeavyTrafficCurve::*exponent)
{
    plot::Panel panel;
    panel.title = std::move(title);
    panel.x = {"ζT, seconds", true, {}, {}};
    panel.y = {"", true, {}, {}};
    int look = 0;
    for (auto const& [label, curve] : curves) {
        auto const& fit = curve.*exponent;
        plot::Series series{fmt::format("{} ({})", plot::escape(label), exponent_text(fit)),
                            {look % 6, look % 11, Stroke::solid, 0.8},
                            {}};
        ++look;
        for (auto const& point : curve.points) {
            auto const [mean, half] = point.*measure;
            if (!std::isfinite(half) && mean > 0)
                series.points.push_back({point.horizon, mean, {}, {}});
            else if (mean > half)
                series.points.push_back({point.horizon, mean, mean - half, mean + half});
        }
        panel.series.push_back(series);
    }
    return panel;
}

/// Whether two series cannot be told apart: no two points differ by more than 2 %.
bool coincide(plot::Series const& one, plot::Series const& other)
{
    return !one.points.empty() &&
           std::ranges::equal(one.points, other.points, [](auto const& a, auto const& b) {
               return a.x == b.x && std::abs(a.y - b.y) <= 0.02 * std::max(a.y, b.y);
           });
}

/// The curves that others hide: " (d): WAIT, FCFS." of each panel that has such.
std::string hidden(std::vector<LabelledCurve> const& curves, std::vector<plot::Panel> const& panels)
{
    std::string text;
    for (std::size_t k = 0; k < panels.size(); ++k) {
        auto const& series = panels[k].series;
        std::vector<bool> told(series.size());
        for (std::size_t i = 0; i < series.size(); ++i) {
            std::vector<std::string> together{plot::escape(curves[i].label)};
            for (std::size_t j = i + 1; j < series.size(); ++j)
                if (!told[i] && !told[j] && coincide(series[i], series[j])) {
                    together.push_back(plot::escape(curves[j].label));
                    told[j] = true;
                }
            if (together.size() > 1)
                text += fmt::format(" On one line in ({}): {}.", static_cast<char>('a' + k),
                                    fmt::join(together, "; "));
        }
    }
    return text;
}

} // namespace

plot::Figure heavy_traffic_figure(std::vector<LabelledCurve> const& curves,
                                  std::string const& title, CurveFacts const& facts)
{
    CRX_EXPECT(!curves.empty() && facts.fit_from < curves.front().curve.points.size());
    plot::Figure figure;
    figure.title = plot::escape(title);
    figure.panels = {
        panel(curves, "throughput gap, tokens/s", &HorizonPoint::gap, &HeavyTrafficCurve::gap),
        panel(curves, "latency, s", &HorizonPoint::latency, &HeavyTrafficCurve::latency),
        panel(curves, "time to first token, s", &HorizonPoint::first_token,
              &HeavyTrafficCurve::first_token),
        panel(curves, "peak memory, tokens", &HorizonPoint::peak_memory,
              &HeavyTrafficCurve::peak_memory)};
    auto& gap = figure.panels.front().curves;
    gap.push_back(reference(curves, &HorizonPoint::gap, -0.5, "slope −1/2", Stroke::dashed));
    gap.push_back(reference(curves, &HorizonPoint::gap, -1, "slope −1", Stroke::dotted));
    figure.panels[1].curves.push_back(
        reference(curves, &HorizonPoint::latency, 0.5, "slope 1/2", Stroke::dashed));
    figure.panels[2].curves.push_back(
        reference(curves, &HorizonPoint::first_token, 0.5, "slope 1/2", Stroke::dashed));
    auto const& points = curves.front().curve.points;
    figure.caption =
        fmt::format("Means of {} paths, seed {}; {} horizons from T = {:.6g} s to ζT = {:.7g} s, "
                    "which share their arrivals, as all policies do. In brackets: slope of the "
                    "logarithms from ζT = {:.6g} s on. Bars and ±: {:g} % confidence intervals.",
                    facts.paths, facts.seed, points.size(), points.front().horizon,
                    points.back().horizon, points[facts.fit_from].horizon, 100 * facts.confidence) +
        hidden(curves, figure.panels);
    return figure;
}

} // namespace crx::fluid
