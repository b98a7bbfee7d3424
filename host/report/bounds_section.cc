#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/bounds/curve_hypotheses.hh"
#include "analysis/plot/enhanced_text.hh"
#include "host/error.hh"
#include "host/experiment/experiment.hh"
#include "host/plot/curve_guides.hh"
#include "host/plot/store_figure.hh"
#include "host/report/nearest_point.hh"
#include "host/report/replay_line.hh"
#include "host/report/section.hh"
#include "host/simulate/fluid_report.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crx::report {

namespace {

/// Panels that draw a curve, by number from 1, and what of its hypotheses fails there.
std::string where_drawn(ReportedStore const& store, std::string const& id)
{
    std::string text;
    for (std::size_t i = 0; i < store.experiment.panels.size(); ++i) {
        auto const& curves = store.experiment.panels[i].curves;
        if (std::ranges::find(curves, id) == curves.end()) continue;
        text += fmt::format("{}panel {}: ", text.empty() ? "" : "; ", i + 1);
        try {
            auto const source =
                panel_sources(store.contents, store.experiment, store.name, static_cast<int>(i + 1))
                    .front();
            auto const failed = failed_hypotheses(source, id);
            text += failed.empty()
                        ? "its hypotheses hold"
                        : fmt::format("a guide only, as the bound is {}",
                                      escaped(fmt::format("{}", fmt::join(failed, ", "))));
        } catch (InputError const&) {
            text += "not drawn";
        }
    }
    return text;
}

std::string curves_of(ReportedStore const& store)
{
    std::vector<std::vector<TableCell>> rows;
    for (auto const& curve : bounds::curve_catalogue()) {
        auto const drawn = where_drawn(store, curve.id);
        if (drawn.empty()) continue;
        auto const* hypotheses = bounds::hypotheses_of(curve.id);
        auto const words = hypotheses == nullptr ? std::vector<std::string>{}
                                                 : bounds::all_hypotheses(*hypotheses);
        rows.push_back({{html_of_enhanced(plot::typeset_legend(curve.legend))},
                        {escaped(curve.statement)},
                        {escaped(curve.source)},
                        {escaped(fmt::format("{}", fmt::join(words, ", ")))},
                        {drawn},
                        {"<code>" + escaped(curve.id) + "</code>"}});
    }
    if (rows.empty()) return {};
    return table("Bounds that the panels draw",
                 {"bound", "says", "source", "hypotheses", "in this experiment", "name"}, rows);
}

/// "1.4312 [1.43, 1.4324]"
std::string with_interval(plot::Point const& point)
{
    auto text = fmt::format("{:.6g}", point.y);
    if (point.low && point.high)
        text += fmt::format(" <small>[{:.6g}, {:.6g}]</small>", *point.low, *point.high);
    return text;
}

std::vector<TableCell> nearest_row(ReportedStore const& store, PanelSource const& source,
                                   std::size_t panel, std::string const& curve,
                                   NearestPoint const& nearest)
{
    auto const& cell = *nearest.cell;
    auto const& label = store.contents.header.policies[nearest.policy].label;
    auto const worst = worst_instance(cell, nearest.policy, source.baseline);
    auto const percent = 100 * std::abs(nearest.margin());
    return {{html_of_enhanced(plot::typeset_legend(bounds::find_curve(curve)->legend))},
            {std::to_string(panel), static_cast<double>(panel)},
            {escaped(label)},
            {fmt::format("{}: {}", cell.index, escaped(point_text(cell.coordinates))),
             static_cast<double>(cell.index)},
            {with_interval(nearest.point), nearest.point.y},
            {fmt::format("{:.6g}", nearest.bound), nearest.bound},
            {fmt::format("{:.3g}&nbsp;% {}", percent, nearest.margin() < 0 ? "above" : "below"),
             nearest.margin()},
            {command(replay_line(store.name, cell.index, worst.value_or(0), label))}};
}

/// Of each bound that holds in a panel, the point there that comes nearest to it.
std::string nearest_of(ReportedStore const& store)
{
    std::vector<std::vector<TableCell>> rows;
    for (auto const& curve : bounds::curve_catalogue())
        for (std::size_t i = 0; i < store.experiment.panels.size(); ++i) {
            auto const& curves = store.experiment.panels[i].curves;
            if (std::ranges::find(curves, curve.id) == curves.end()) continue;
            try {
                auto const source = panel_sources(store.contents, store.experiment, store.name,
                                                  static_cast<int>(i + 1))
                                        .front();
                if (auto const nearest = nearest_point(source, curve.id))
                    rows.push_back(nearest_row(store, source, i + 1, curve.id, *nearest));
            } catch (InputError const&) {
                // The panel says what is wrong.
            }
        }
    if (rows.empty()) return {};
    return table("The point of each panel that comes nearest to a bound",
                 {"bound", "panel", "policy", "cell", "point", "bound there", "distance",
                  "runs its worst instance again"},
                 rows);
}

/// What the theory says of the first cell of the iteration model.
std::string theory_of(ReportedStore const& store)
{
    auto const& header = store.contents.header;
    if (header.model != Model::iterations || store.contents.cells.empty()) return {};
    try {
        auto const experiment = Experiment::parse(header.text, store.name + ":experiment",
                                                  header.folder, header.overrides);
        auto const& cell = store.contents.cells.front();
        auto coordinates = cell.coordinates;
        std::erase_if(coordinates,
                      [](auto const& c) { return c.first == "horizon" || c.first == "type"; });
        auto const planned = experiment.make_cell(cell.sweep, coordinates);
        return fmt::format(
            "<p>What the theory says of {}, without simulation (<code>crx fluid</code> "
            "has every cell):</p>\n<pre>{}</pre>\n",
            coordinates.empty() ? "the cell"
                                : "the first cell, " + escaped(point_text(coordinates)),
            escaped(fluid_text(*planned.paths)));
    } catch (InputError const& error) {
        return "<p>The theory is not here, as the experiment cannot be read again: " +
               escaped(error.what()) + "</p>\n";
    }
}

} // namespace

std::string bounds_section(ReportedStore const& store)
{
    auto const text = curves_of(store) + nearest_of(store) + theory_of(store);
    return text.empty() ? text : heading(store, "bounds", "Bounds and their hypotheses") + text;
}

} // namespace crx::report
