#include "analysis/spectrum/figures.hh"

#include "analysis/bounds/domain.hh"
#include "analysis/bounds/geometric.hh"
#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/bounds/two_point_bounds.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <numbers>

namespace crx::spectrum {

std::vector<FigurePoint> sampled(double low, double high, int count, bool logarithmic,
                                 std::function<double(double)> const& function)
{
    std::vector<FigurePoint> points;
    for (int i = 0; i <= count; ++i) {
        double const part = static_cast<double>(i) / count;
        double const x = logarithmic ? low * std::pow(high / low, part) : low + (high - low) * part;
        points.push_back({x, function(x)});
    }
    return points;
}

std::vector<FigurePoint> sampled_whole(double last,
                                       std::function<double(std::int64_t)> const& function)
{
    std::vector<FigurePoint> points;
    for (double u = 1; u < last; u = std::max(u + 1, std::floor(u * 1.06)))
        points.push_back({u, function(static_cast<std::int64_t>(u))});
    points.push_back({last, function(static_cast<std::int64_t>(last))});
    return points;
}

namespace {

constexpr std::int64_t uncut = std::int64_t{1} << 40;

/// A panel of Figure 3: the ratio against q for several prompts, and a published level.
template <class Ratio>
FigurePanel law_panel(std::string const& title, std::string const& published, double level,
                      Ratio ratio)
{
    FigurePanel panel{title,
                      {"$q$", false, 0, 1},
                      {"ratio of $A_{\\mathrm{min}}$ to H-SF, fluid", false, 1, 2},
                      {},
                      {}};
    int group = 0;
    for (double const s : {0., 1., 10., 100.}) {
        // Even steps in q, then finer ones near 1, where curves with s > 0 come back to the limit.
        auto points = sampled(0, 0.98, 98, false, [&](double q) { return ratio(q, s); });
        for (auto const& near : sampled(0.02, 0.0001, 40, true, [](double p) { return p; }))
            points.push_back({1 - near.x, ratio(1 - near.x, s)});
        panel.curves.push_back({fmt::format("$s$ = {}{}", s, s == 0 ? " (published)" : ""), "fluid",
                                group++, std::move(points)});
    }
    panel.curves.push_back({published, "lower", group, {{0, level}, {1, level}}});
    return panel;
}

} // namespace

Figure two_point_figure()
{
    FigurePanel panel{{},
                      {"$\\alpha = \\ell/u$", false, 0, 1},
                      {"fluid ratio to H-SF, worst on {$\\ell$, $u$}", false, 1, 3},
                      {},
                      {}};
    FigureLine crossing{"crossing ($\\alpha$ = 0.382 at $s$ = 0)", "general", 4, {}};
    struct Prompt
    {
        double s_over_u;
        char const* label;
    };
    int group = 0;
    for (auto const& [s_over_u, label] :
         {Prompt{0, "$s$ = 0 (published)"}, Prompt{0.1, "$s$ = $u$/10"}, Prompt{1, "$s$ = $u$"}}) {
        auto const a_min = [s = s_over_u](double alpha) {
            return bounds::a_min_two_point_supremum(bounds::shape_of_alpha(alpha, s));
        };
        auto const a_ell = [s = s_over_u](double alpha) {
            return bounds::a_ell_two_point_supremum(bounds::shape_of_alpha(alpha, s));
        };
        panel.curves.push_back({fmt::format("$A_{{\\mathrm{{min}}}}$, {}", label), "fluid", group,
                                sampled(0.004, 1, 500, false, a_min)});
        panel.curves.push_back({fmt::format("$A_{{\\ell}}$, {}", label), "upper", group,
                                sampled(0.004, 1, 500, false, a_ell)});
        double const at = bounds::a_ell_a_min_crossing(s_over_u);
        crossing.points.push_back({at, a_min(at)});
        ++group;
    }
    panel.points = {crossing};
    panel.curves.push_back({"$A_{\\mathrm{min}}$, $s$ → ∞", "lower", group,
                            sampled(0.004, 1, 500, false, [](double alpha) {
                                return bounds::a_min_two_point_supremum({alpha, 1});
                            })});
    return {panel};
}

Figure laws_figure()
{
    return {
        law_panel("geometric, $\\ell$ = 1, $u$ = ∞", "1.7, read off Fig. 3", 1.7,
                  [](double q, double s) { return bounds::geometric_ratio(q, uncut, s); }),
        law_panel("linear-geometric, $\\ell$ = 1, $u$ = ∞", "14/9, Thm 5.3", 14. / 9,
                  [](double q, double s) { return bounds::linear_geometric_ratio(q, uncut, s); })};
}

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
