#include "analysis/bounds/geometric.hh"
#include "analysis/bounds/logarithmic.hh"
#include "analysis/spectrum/figures.hh"
#include "analysis/spectrum/proven_bounds.hh"
#include "analysis/spectrum/sampling.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace crx::spectrum {

namespace {

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

FigurePanel growth_panel(std::span<GrowthPoint const> points, double last)
{
    FigurePanel panel{"worst fluid ratio of $A_{\\mathrm{min}}$ to H-SF",
                      {"longest output $u$ ($\\ell$ = 1, $s$ = 0)", true, 1, last},
                      {"ratio", false, 1, points.back().rho * 1.18},
                      {},
                      {}};
    FigureLine rho{"ρ($B^{-1}A$), certified", "general", 0, {}};
    for (auto const& point : points)
        rho.points.push_back({static_cast<double>(point.u), point.rho});
    panel.points = {rho};
    double const fit_end = std::min(published_last_u, last);
    panel.curves.push_back(
        {"$H_{u}$, bound of Thm 4.3", "lower", 1,
         sampled_whole(last, [](std::int64_t u) { return bounds::harmonic_number(u); })});
    panel.curves.push_back(
        {"3/4 + ½ Σ 1/(2k−1), proven bound", "fluid", 2, sampled_whole(last, [](std::int64_t u) {
             return proven_bounds({1, u, 0}).upper;
         })});
    panel.curves.push_back({"fit of Fig. 1 (dashed past its range)", "fluid", 3,
                            sampled(1, fit_end, 200, true, bounds::figure_1_fit)});
    if (last > fit_end)
        panel.curves.push_back(
            {"", "upper", 3, sampled(fit_end, last, 100, true, bounds::figure_1_fit)});
    return panel;
}

FigurePanel slope_panel(std::span<GrowthPoint const> points, double last)
{
    FigurePanel panel{"its slope against ln $u$",
                      {"longest output $u$ ($\\ell$ = 1, $s$ = 0)", true, 1, last},
                      {"slope", false, 0.246, 0.276},
                      {},
                      {}};
    FigureLine slope{"local slope of ρ", "general", 0, {}};
    for (std::size_t i = 1; i < points.size(); ++i)
        slope.points.push_back(
            {std::sqrt(static_cast<double>(points[i].u) * static_cast<double>(points[i - 1].u)),
             points[i].slope});
    panel.points = {slope};
    panel.curves.push_back({"1/4, the limit", "fluid", 1, {{1, 0.25}, {last, 0.25}}});
    panel.curves.push_back({"0.2555, slope of the fit", "fluid", 3, {{1, 0.2555}, {last, 0.2555}}});
    return panel;
}

} // namespace

Figure growth_figure(std::span<GrowthPoint const> points)
{
    auto const last = static_cast<double>(points.back().u);
    return {growth_panel(points, last), slope_panel(points, last)};
}

Figure alpha_figure(std::span<AlphaCurve const> curves)
{
    static constexpr char const* kinds[] = {"fluid", "upper", "lower", "construction", "general"};
    FigurePanel panel;
    double most = 10, largest = 1;
    std::vector<double> prompts;
    std::vector<std::int64_t> lengths;
    for (auto const& curve : curves) {
        FigureLine line{fmt::format("$\\ell$ = {}, $s$ = {}", curve.l, curve.s),
                        kinds[position(lengths, curve.l) % std::size(kinds)],
                        static_cast<int>(position(prompts, curve.s)),
                        {}};
        for (std::size_t i = 0; i < curve.rho.size(); ++i) {
            line.points.push_back({curve.inverse_alpha[i], curve.rho[i]});
            largest = std::max(largest, curve.rho[i]);
        }
        most = std::max(most, curve.inverse_alpha.back());
        panel.curves.push_back(line);
    }
    auto const last = static_cast<int>(prompts.size());
    panel.curves.push_back(
        {"5/4 + ¼ ln(1/$\\alpha$): proven, $s$ = 0", "fluid", last,
         sampled(1, most, 200, true, [](double x) { return bounds::logarithmic_bound(1 / x); })});
    panel.curves.push_back(
        {"(1 + $\\alpha^{-1/2}$)/2: $s$ → ∞", "lower", last,
         sampled(1, most, 200, true, [](double x) { return (1 + std::sqrt(x)) / 2; })});
    // The limit s -> infinity runs away from the rest with u; it is shown as far as it leads.
    double const high = 1.15 * std::min((1 + std::sqrt(most)) / 2, 4 * largest);
    panel.x = {"1/$\\alpha$ = $u/\\ell$", true, 1, most};
    panel.y = {"ρ($B^{-1}A$): worst ratio of $A_{\\mathrm{min}}$, fluid", true, 1, high};
    return {panel};
}

} // namespace crx::spectrum
