#include "analysis/spectrum/figures.hh"

#include "analysis/bounds/a_ell.hh"
#include "analysis/bounds/a_min_two_point.hh"
#include "analysis/bounds/geometric.hh"
#include "analysis/plot/palette.hh"
#include "analysis/plot/picture_file.hh"
#include "analysis/spectrum/sampling.hh"

#include <array>
#include <fmt/core.h>
#include <stdexcept>

namespace crx::spectrum {

namespace {

using plot::Stroke;

constexpr std::array colours{plot::blue, plot::vermilion, plot::green, plot::purple};

constexpr std::int64_t uncut = std::int64_t{1} << 40;

/// A panel of Figure 3: the ratio against q for several prompts.
template <class Ratio>
plot::Panel law_panel(std::string const& title, plot::Curve published, Ratio ratio)
{
    plot::Panel panel;
    panel.title = title;
    panel.x = {"q", false, 0.0, 1.0};
    panel.y = {"ratio of {/:Italic A}_{min} to H-SF, fluid", false, 1.0, 2.0};
    for (std::size_t k = 0; k < 4; ++k) {
        double const s = std::array{0., 1., 10., 100.}[k];
        // Even steps in q, then finer ones near 1, where curves with s > 0 come back to the limit.
        auto points = sampled(0, 0.98, 98, false, [&](double q) { return ratio(q, s); });
        for (auto const& near : sampled(0.02, 0.0001, 40, true, [](double p) { return p; }))
            points.push_back({1 - near.x, ratio(1 - near.x, s), {}, {}});
        panel.curves.push_back({fmt::format("s = {}{}", s, s == 0 ? " (published)" : ""),
                                {colours[k], -1, Stroke::solid, 1.2},
                                points});
    }
    published.points = {{0, published.points[0].y, {}, {}}, {1, published.points[0].y, {}, {}}};
    panel.curves.push_back(published);
    return panel;
}

} // namespace

void require_picture_name(std::filesystem::path const& file)
{
    if (!plot::picture_format(file))
        throw std::domain_error(
            fmt::format("plot = {} is not accepted: must be a file ending in {}", file.string(),
                        plot::picture_endings));
}

plot::Figure two_point_figure()
{
    plot::Panel panel;
    panel.x = {"α = l/u", false, 0.0, 1.0};
    panel.y = {"fluid ratio to H-SF, worst on \\{l, u\\}", false, 1.0, 3.0};
    plot::Series crossing{"crossing (α = 0.382 at s = 0)", {plot::black, plot::open_circle}, {}};
    struct Prompt
    {
        double s_over_u;
        char const* label;
    };
    std::size_t k = 0;
    for (auto const& [s_over_u, label] :
         {Prompt{0, "s = 0 (published)"}, Prompt{0.1, "s = u/10"}, Prompt{1, "s = u"}}) {
        auto const a_min = [s = s_over_u](double alpha) {
            return bounds::a_min_two_point_supremum(bounds::shape_of_alpha(alpha, s));
        };
        auto const a_ell = [s = s_over_u](double alpha) {
            return bounds::a_ell_two_point_supremum(bounds::shape_of_alpha(alpha, s));
        };
        panel.curves.push_back({fmt::format("{{/:Italic A}}_{{min}}, {}", label),
                                {colours[k], -1, Stroke::solid, 1.2},
                                sampled(0.004, 1, 500, false, a_min)});
        panel.curves.push_back({fmt::format("{{/:Italic A}}_{{ℓ}}, {}", label),
                                {colours[k], -1, Stroke::dashed, 1.2},
                                sampled(0.004, 1, 500, false, a_ell)});
        double const at = bounds::a_ell_a_min_crossing(s_over_u);
        crossing.points.push_back({at, a_min(at), {}, {}});
        ++k;
    }
    panel.series = {crossing};
    panel.curves.push_back({"{/:Italic A}_{min}, s → ∞",
                            {plot::grey, -1, Stroke::dotted, 1.2},
                            sampled(0.004, 1, 500, false, [](double alpha) {
                                return bounds::a_min_two_point_supremum({alpha, 1});
                            })});
    plot::Figure figure;
    figure.panels = {panel};
    return figure;
}

plot::Figure laws_figure()
{
    plot::Figure figure;
    figure.panels = {
        law_panel(
            "geometric, l = 1, u = ∞",
            {"1.7, read off Fig. 3", {plot::grey, -1, Stroke::dotted, 1.2}, {{0, 1.7, {}, {}}}},
            [](double q, double s) { return bounds::geometric_ratio(q, uncut, s); }),
        law_panel("linear-geometric, l = 1, u = ∞",
                  {"14/9, Thm 5.3", {plot::black, -1, Stroke::dashed, 0.8}, {{0, 14. / 9, {}, {}}}},
                  [](double q, double s) { return bounds::linear_geometric_ratio(q, uncut, s); })};
    return figure;
}

} // namespace crx::spectrum
