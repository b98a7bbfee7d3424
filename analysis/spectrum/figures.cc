#include "analysis/spectrum/figures.hh"

#include "analysis/bounds/a_ell.hh"
#include "analysis/bounds/a_min_two_point.hh"
#include "analysis/bounds/geometric.hh"
#include "analysis/bounds/logarithmic.hh"
#include "analysis/spectrum/gnuplot_session.hh"
#include "analysis/spectrum/proven_bounds.hh"

#include <cmath>
#include <fmt/core.h>
#include <limits>

namespace crx::spectrum {

namespace {

constexpr double published_last_u = 2000; // the range on which the published fit is reproduced

// Rows (u, function(u)) at whole u only, about evenly in ln u.
std::vector<std::vector<double>> whole(double last, std::function<double(std::int64_t)> const& f)
{
    std::vector<std::vector<double>> rows;
    for (double u = 1; u < last; u = std::max(u + 1, std::floor(u * 1.06)))
        rows.push_back({u, f(static_cast<std::int64_t>(u))});
    rows.push_back({last, f(static_cast<std::int64_t>(last))});
    return rows;
}

} // namespace

void draw_growth(std::filesystem::path const& file, std::span<GrowthPoint const> points)
{
    GnuplotSession plot(file, 640, 650);
    std::vector<std::vector<double>> rho;
    std::vector<std::vector<double>> slope;
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto const u = static_cast<double>(points[i].u);
        rho.push_back({u, points[i].rho});
        if (i > 0)
            slope.push_back({std::sqrt(u * static_cast<double>(points[i - 1].u)), points[i].slope});
    }
    auto const last = static_cast<double>(points.back().u);
    double const fit_end = std::min(published_last_u, last);
    plot.data("rho", rho);
    plot.data("slope", slope);
    plot.data("fit", sampled(1, fit_end, 200, true, bounds::figure_1_fit));
    plot.data("beyond", sampled(fit_end, last, 100, true, bounds::figure_1_fit));
    plot.data("upper", whole(last, [](std::int64_t u) { return proven_bounds({1, u, 0}).upper; }));
    plot.data("harmonic", whole(last, bounds::harmonic_number));
    plot.send("set multiplot\n"
              "set lmargin at screen 0.11\nset rmargin at screen 0.965\n"
              "set logscale x\nset format x ''\n");
    plot.send(fmt::format("set xrange [1:{:.17g}]\n", last));
    plot.send(fmt::format(
        "set tmargin at screen 0.835\nset bmargin at screen 0.42\n"
        "set ylabel 'ratio of A_{{min}} to H-SF, fluid' offset 1\nset yrange [1:{:.3f}]\n"
        "set ytics 1\nset key at screen 0.54,0.985 center top horizontal reverse Left maxcols 2 "
        "width 1\n"
        "plot $harmonic w l ls 9 dt 3 t 'H_u, bound of Thm 4.3',"
        " $upper w l ls 3 t '3/4 + ½ {{/Symbol S}} 1/(2k-1), proven bound',"
        " $fit w l ls 2 t 'fit of Fig. 1 (dashed past its range)',"
        " $beyond w l ls 2 dt 2 notitle,"
        " $rho w p pt 7 ps 0.55 lc rgb '#0072b2' t '{{/Symbol r}}(B^{{-1}}A), certified'\n",
        points.back().rho * 1.18));
    double const low = 0.246;
    double const high = 0.276;
    plot.send(fmt::format(
        "set tmargin at screen 0.38\nset bmargin at screen 0.10\n"
        "set format x '10^{{%T}}'\nset xlabel 'longest output u (l = 1, s = 0)'\n"
        "set ylabel 'slope against ln u' offset 1\nset yrange [{}:{}]\nset ytics 0.005\n"
        "set key inside top right vertical noreverse Right maxcols 1\n"
        "plot 0.25 w l ls 9 t '1/4, the limit', 0.2555 w l ls 2 t '0.2555, slope of the fit',"
        " $slope w lp pt 7 ps 0.45 lc rgb '#0072b2' lw 1.5 t 'local slope of {{/Symbol r}}'\n",
        low, high));
    plot.send("unset multiplot\n");
    plot.finish();
}

void draw_two_point(std::filesystem::path const& file)
{
    GnuplotSession plot(file, 820, 430);
    struct Prompt
    {
        double s_over_u;
        char const* label;
    };
    Prompt const prompts[] = {{0, "s = 0 (published)"}, {0.1, "s = u/10"}, {1, "s = u"}};
    std::string curves;
    int line = 1;
    for (auto const& prompt : prompts) {
        auto const shape = [&](double alpha) {
            return bounds::shape_of_alpha(alpha, prompt.s_over_u);
        };
        plot.data(fmt::format("least{}", line), sampled(0.004, 1, 500, false, [&](double alpha) {
                      return bounds::a_min_two_point_supremum(shape(alpha));
                  }));
        plot.data(fmt::format("ell{}", line), sampled(0.004, 1, 500, false, [&](double alpha) {
                      return bounds::a_ell_two_point_supremum(shape(alpha));
                  }));
        double const crossing = bounds::a_ell_a_min_crossing(prompt.s_over_u);
        plot.data(fmt::format("cross{}", line),
                  {{crossing, bounds::a_min_two_point_supremum(shape(crossing))}});
        curves +=
            fmt::format("{} $least{} w l ls {} t 'A_{{min}}, {}', $ell{} w l ls {} dt 2 t "
                        "'A_l, {}', $cross{} w p pt 6 ps 1 lw 2 lc rgb '#202020' t '{}'",
                        line == 1 ? "" : ",", line, line, prompt.label, line, line, prompt.label,
                        line, line == 1 ? "crossing ({/Symbol a} = 0.382 at s = 0)" : "");
        ++line;
    }
    plot.data("limit", sampled(0.004, 1, 500, false, [](double alpha) {
                  return bounds::a_min_two_point_supremum({alpha, 1});
              }));
    plot.send(
        "set xrange [0:1]\nset yrange [1:3]\n"
        "set xlabel '{/Symbol a} = l/u'\nset ylabel 'worst ratio to H-SF on \\{l, u\\}' offset 1\n"
        "set key outside right center reverse Left width -5\n"
        "plot" +
        curves + ", $limit w l ls 9 dt 3 t 'A_{min}, s {/Symbol \\256} {/Symbol \\245}'\n");
    plot.finish();
}

void draw_laws(std::filesystem::path const& file)
{
    GnuplotSession plot(file, 860, 400);
    double const prompts[] = {0, 1, 10, 100};
    constexpr std::int64_t uncut = std::int64_t{1} << 40;
    std::string left;
    std::string right;
    int line = 1;
    for (double const s : prompts) {
        // Even steps in q, then finer ones near 1, where curves with s > 0 come back to the limit.
        auto rows = [&](auto ratio) {
            auto all = sampled(0, 0.98, 98, false, ratio);
            for (auto const& row : sampled(0.02, 0.0001, 40, true, [](double p) { return p; }))
                all.push_back({1 - row[0], ratio(1 - row[0])});
            all.push_back({1, std::numeric_limits<double>::quiet_NaN()});
            return all;
        };
        plot.data(fmt::format("geometric{}", line),
                  rows([&](double q) { return bounds::geometric_ratio(q, uncut, s); }));
        plot.data(fmt::format("linear{}", line),
                  rows([&](double q) { return bounds::linear_geometric_ratio(q, uncut, s); }));
        auto const label = s == 0 ? std::string("s = 0 (published)") : fmt::format("s = {}", s);
        left += fmt::format(", $geometric{} w l ls {} t '{}'", line, line, label);
        right += fmt::format(", $linear{} w l ls {} t '{}'", line, line, label);
        ++line;
    }
    plot.send("set multiplot layout 1,2 margins 0.085,0.985,0.16,0.9 spacing 0.075,0\n"
              "set xrange [0:1]\nset yrange [1:2]\nset xlabel 'q'\n"
              "set ylabel 'ratio of A_{min} to H-SF, fluid' offset 1\nset key bottom right reverse "
              "Left width -3 samplen 1.6\n"
              "set title 'geometric, l = 1, u = {/Symbol \\245}'\n"
              "plot 1.7 w l ls 9 dt 3 t '1.7, read off Fig. 3'" +
              left +
              "\nset title 'linear-geometric, l = 1, u = {/Symbol \\245}'\nunset ylabel\n"
              "plot 14./9 w l ls 9 dt 3 t '14/9, Thm 5.3'" +
              right + "\nunset multiplot\n");
    plot.finish();
}

void draw_alpha(std::filesystem::path const& file, std::span<AlphaCurve const> curves)
{
    GnuplotSession plot(file, 860, 480);
    std::string commands;
    double most = 10;
    std::vector<double> prompts;
    std::vector<std::int64_t> lengths;
    auto const position = [](auto& list, auto value) {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i] == value) return i;
        list.push_back(value);
        return list.size() - 1;
    };
    int number = 0;
    for (auto const& curve : curves) {
        std::vector<std::vector<double>> rows;
        for (std::size_t i = 0; i < curve.rho.size(); ++i)
            rows.push_back({curve.inverse_alpha[i], curve.rho[i]});
        most = std::max(most, curve.inverse_alpha.back());
        auto const colour = position(prompts, curve.s) + 1;
        auto const dash = position(lengths, curve.l) + 1;
        plot.data(fmt::format("curve{}", number), rows);
        commands += fmt::format("$curve{} w l ls {} dt {} t 'l = {}, s = {}', ", number, colour,
                                dash, curve.l, curve.s);
        ++number;
    }
    plot.data("limit",
              sampled(1, most, 200, true, [](double x) { return (1 + std::sqrt(x)) / 2; }));
    plot.data("bound", sampled(1, most, 200, true,
                               [](double x) { return bounds::logarithmic_bound(1 / x); }));
    plot.send(fmt::format(
        "set logscale xy\nset xrange [1:{:.17g}]\nset yrange [1:200]\n"
        "set format x '10^{{%T}}'\nset xlabel '1/{{/Symbol a}} = u/l'\n"
        "set ylabel '{{/Symbol r}}(B^{{-1}}A): worst ratio of A_{{min}}, fluid' offset 1\n"
        "set key outside right center reverse Left width -6\n",
        most));
    plot.send("plot " + commands +
              "$bound w l ls 9 t '5/4 + ¼ ln(1/{/Symbol a}): proven, s = 0',"
              " $limit w l ls 9 dt 3 t '(1 + {/Symbol a}^{-1/2})/2: s {/Symbol \\256} {/Symbol "
              "\\245}'\n");
    plot.finish();
}

} // namespace crx::spectrum
