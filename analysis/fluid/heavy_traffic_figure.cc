#include "analysis/fluid/heavy_traffic_figure.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/palette.hh"

#include <cmath>
#include <fmt/core.h>

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
        plot::Series series{
            fmt::format("{} ({:.2f} ± {:.2f})", plot::escape(label), fit.value, fit.half_width),
            {look % 6, look % 11, Stroke::solid, 0.8},
            {}};
        ++look;
        for (auto const& point : curve.points) {
            auto const [mean, half] = point.*measure;
            if (mean > half)
                series.points.push_back({point.horizon, mean, mean - half, mean + half});
        }
        panel.series.push_back(series);
    }
    return panel;
}

} // namespace

plot::Figure heavy_traffic_figure(std::vector<LabelledCurve> const& curves,
                                  std::string const& title)
{
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
    figure.caption = "In brackets: fitted slope of the logarithms and its interval. Means over "
                     "paths; all horizons and policies share their arrivals.";
    return figure;
}

} // namespace crx::fluid
