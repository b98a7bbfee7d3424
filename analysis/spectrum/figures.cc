#include "analysis/spectrum/figures.hh"

#include "analysis/bounds/a_ell.hh"
#include "analysis/bounds/a_min_two_point.hh"
#include "analysis/bounds/geometric.hh"
#include "analysis/spectrum/sampling.hh"

#include <fmt/core.h>

namespace crx::spectrum {

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

} // namespace crx::spectrum
