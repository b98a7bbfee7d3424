#include "analysis/bounds/geometric.hh"
#include "analysis/bounds/logarithmic.hh"
#include "analysis/plot/palette.hh"
#include "analysis/spectrum/figures.hh"
#include "analysis/spectrum/proven_bounds.hh"
#include "analysis/spectrum/sampling.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>

namespace crx::spectrum {

namespace {

using plot::Stroke;

constexpr double published_last_u = 2000; // the range on which the published fit is reproduced

/// The place of a value in a list, which takes it in if it is new.
template <class Value>
std::size_t position(std::vector<Value>& list, Value value)
{
    auto const at = std::find(list.begin(), list.end(), value);
    auto const place = static_cast<std::size_t>(at - list.begin());
    if (at == list.end()) list.push_back(value);
    return place;
}

plot::Panel growth_panel(std::span<GrowthPoint const> points, double last)
{
    plot::Panel panel;
    panel.title = "worst fluid ratio of {/:Italic A}_{min} to H-SF";
    panel.x = {"longest output u (l = 1, s = 0)", true, 1.0, last};
    panel.y = {"ratio", false, 1.0, points.back().rho * 1.18};
    plot::Series rho{"ρ(B^{−1}A), certified", {plot::blue, plot::circle}, {}};
    for (auto const& point : points)
        rho.points.push_back({static_cast<double>(point.u), point.rho, {}, {}});
    panel.series = {rho};
    double const fit_end = std::min(published_last_u, last);
    panel.curves.push_back(
        {"{/:Italic H}_u, bound of Thm 4.3",
         {plot::grey, -1, Stroke::dotted, 1},
         sampled_whole(last, [](std::int64_t u) { return bounds::harmonic_number(u); })});
    panel.curves.push_back({"3/4 + ½ Σ 1/(2k−1), proven bound",
                            {plot::green, -1, Stroke::solid, 1.2},
                            sampled_whole(last, [](std::int64_t u) {
                                return proven_bounds({1, u, 0}).upper;
                            })});
    panel.curves.push_back({"fit of Fig. 1 (dashed past its range)",
                            {plot::vermilion, -1, Stroke::solid, 1.2},
                            sampled(1, fit_end, 200, true, bounds::figure_1_fit)});
    if (last > fit_end)
        panel.curves.push_back({"",
                                {plot::vermilion, -1, Stroke::dashed, 1.2},
                                sampled(fit_end, last, 100, true, bounds::figure_1_fit)});
    return panel;
}

plot::Panel slope_panel(std::span<GrowthPoint const> points, double last)
{
    plot::Panel panel;
    panel.title = "its slope against ln u";
    panel.x = {"longest output u (l = 1, s = 0)", true, 1.0, last};
    panel.y = {"slope", false, 0.246, 0.276};
    plot::Series slope{"local slope of ρ", {plot::blue, plot::circle, Stroke::solid, 0.8}, {}};
    for (std::size_t i = 1; i < points.size(); ++i)
        slope.points.push_back(
            {std::sqrt(static_cast<double>(points[i].u) * static_cast<double>(points[i - 1].u)),
             points[i].slope,
             {},
             {}});
    panel.series = {slope};
    auto const level = [&](double y) {
        return std::vector<plot::Point>{{1, y, {}, {}}, {last, y, {}, {}}};
    };
    panel.curves.push_back({"1/4, the limit", {plot::grey, -1, Stroke::solid, 1}, level(0.25)});
    panel.curves.push_back(
        {"0.2555, slope of the fit", {plot::vermilion, -1, Stroke::solid, 1.2}, level(0.2555)});
    return panel;
}

} // namespace

plot::Figure growth_figure(std::span<GrowthPoint const> points)
{
    auto const last = static_cast<double>(points.back().u);
    plot::Figure figure;
    figure.columns = 1;
    figure.panels = {growth_panel(points, last), slope_panel(points, last)};
    return figure;
}

plot::Figure alpha_figure(std::span<AlphaCurve const> curves)
{
    constexpr std::array colours{plot::blue,   plot::vermilion, plot::green,
                                 plot::purple, plot::orange,    plot::sky};
    constexpr std::array strokes{Stroke::solid, Stroke::dashed, Stroke::dotted, Stroke::dash_dotted,
                                 Stroke::long_dashed};
    plot::Panel panel;
    double most = 10, largest = 1;
    std::vector<double> prompts;
    std::vector<std::int64_t> lengths;
    for (auto const& curve : curves) {
        plot::Curve line{fmt::format("l = {}, s = {}", curve.l, curve.s),
                         {colours[position(prompts, curve.s) % colours.size()], -1,
                          strokes[position(lengths, curve.l) % strokes.size()], 1.2},
                         {}};
        for (std::size_t i = 0; i < curve.rho.size(); ++i) {
            line.points.push_back({curve.inverse_alpha[i], curve.rho[i], {}, {}});
            largest = std::max(largest, curve.rho[i]);
        }
        most = std::max(most, curve.inverse_alpha.back());
        panel.curves.push_back(line);
    }
    panel.curves.push_back(
        {"5/4 + ¼ ln(1/α): proven, s = 0",
         {plot::black, -1, Stroke::solid, 0.8},
         sampled(1, most, 200, true, [](double x) { return bounds::logarithmic_bound(1 / x); })});
    panel.curves.push_back(
        {"(1 + α^{−1/2})/2: s → ∞",
         {plot::black, -1, Stroke::dotted, 0.8},
         sampled(1, most, 200, true, [](double x) { return (1 + std::sqrt(x)) / 2; })});
    // The limit s -> infinity runs away from the rest with u; it is shown as far as it leads.
    double const high = 1.15 * std::min((1 + std::sqrt(most)) / 2, 4 * largest);
    panel.x = {"1/α = u/l", true, 1.0, most};
    panel.y = {"ρ(B^{−1}A): worst ratio of {/:Italic A}_{min}, fluid", true, 1.0, high};
    plot::Figure figure;
    figure.panels = {panel};
    return figure;
}

} // namespace crx::spectrum
