#include "host/plot/store_figure.hh"

#include "analysis/plot/enhanced_text.hh"
#include "host/error.hh"
#include "host/plot/caption.hh"
#include "host/plot/curve_guides.hh"
#include "host/plot/panel_fits.hh"
#include "host/plot/panel_source.hh"

#include <fmt/format.h>

namespace crx {

namespace {

std::string place_of(std::string const& name, std::size_t number, Panel const& panel)
{
    auto const title = panel.title.empty() ? "" : " (\"" + panel.title + "\")";
    return fmt::format("{}: panel {}{}", name, number + 1, title);
}

PanelSource source_of(StoreContents const& store, StoredPanels const& experiment,
                      Panel const& panel, std::string const& place)
{
    PanelSource source;
    source.panel = panel;
    source.policies = store.header.policies;
    source.confidence = experiment.confidence;
    source.place = place;
    auto const measure = measure_named(panel.measure);
    if (!measure) throw InputError(place + ": there is no measure \"" + panel.measure + "\"");
    source.measure = *measure;
    if (is_ratio(*measure)) {
        auto const baseline = baseline_named(panel.baseline);
        if (!baseline)
            throw InputError(place + ": there is no baseline \"" + panel.baseline + "\"");
        source.baseline = *baseline;
    }
    if (*measure == Measure::argmax && panel.worst_over.empty())
        throw InputError(place + ": measure argmax needs worst_over, the axis to look along");
    source.cells = choose_cells(store.cells, panel, place);
    // Cells of one type are for panels that name it, those of all types together for the others.
    bool const by_type =
        panel.x == "type" || panel.series == "type" || panel.where.contains("type");
    std::erase_if(source.cells, [&](auto const* cell) { return by_type != (cell->type >= 0); });
    if (is_of_a_request(*measure) && store.header.model == Model::rounds)
        for (auto const* cell : source.cells)
            if (!cell->parameters.contains("requests"))
                throw InputError(place + ": measure " + panel.measure +
                                 " is a mean over requests, whose number differs from instance to "
                                 "instance here (workload.instances), and a store keeps totals");
    return source;
}

/// What an axis without a label of its own says.
std::string axis_text(std::string const& name)
{
    static constexpr std::pair<std::string_view, std::string_view> known[] = {
        {"alpha", "{/:Italic α} = {/:Italic ℓ}/{/:Italic u}"},
        {"requests", "requests {/:Italic n}"},
        {"memory", "memory {/:Italic M} (tokens)"},
        {"prompt", "prompt {/:Italic s} (tokens)"},
        {"lower", "lower end {/:Italic ℓ} (tokens)"},
        {"upper", "upper end {/:Italic u} (tokens)"},
        {"q", "{/:Italic q}"},
        {"horizon", "horizon (seconds)"}};
    for (auto const& [id, text] : known)
        if (id == name) return std::string(text);
    return plot::typeset(name);
}

/// The experiment's label, with the measure behind it if it names no denominator.
std::string y_text(PanelSource const& source)
{
    auto const measure =
        measure_label(source.measure, source.baseline, source.panel.worst_over, time_unit(source));
    auto const& label = source.panel.y_label;
    if (label.empty()) return measure;
    bool const says = label.find('/') != std::string::npos || !is_ratio(source.measure) ||
                      source.measure == Measure::argmax;
    return plot::typeset(label) + (says ? "" : ", " + measure);
}

plot::Panel draw_panel(PanelSource const& source)
{
    plot::Panel panel;
    panel.title = plot::typeset(source.panel.title);
    panel.x = {source.panel.x_label.empty() ? axis_text(source.panel.x)
                                            : plot::typeset(source.panel.x_label),
               source.panel.log_x,
               {},
               {}};
    panel.y = {y_text(source), source.panel.log_y, source.panel.y_min, source.panel.y_max};
    panel.series = panel_series(source);
    panel.curves = panel_curves(source);
    draw_fits(source, panel);
    return panel;
}

bool has_rings(plot::Figure const& figure)
{
    for (auto const& panel : figure.panels)
        for (auto const& series : panel.series)
            if (std::ranges::any_of(series.points, &plot::Point::partial)) return true;
    return false;
}

} // namespace

std::vector<PanelSource> panel_sources(StoreContents const& store, StoredPanels const& experiment,
                                       std::string const& name, std::optional<int> only)
{
    auto const count = experiment.panels.size();
    if (count == 0) throw InputError(name + ": its experiment has no [[panel]] to draw");
    if (only && !(*only >= 1 && static_cast<std::size_t>(*only) <= count))
        throw InputError(fmt::format("--panel = {}\n  not accepted: must be a number from 1 to {}",
                                     *only, count));
    if (std::none_of(store.cells.begin(), store.cells.end(),
                     [](CellResult const& cell) { return cell.instances > 0; }))
        throw InputError(name + ": no finished cells yet\n  run crx sweep first");
    std::vector<PanelSource> sources;
    for (std::size_t i = 0; i < count; ++i) {
        if (only && i + 1 != static_cast<std::size_t>(*only)) continue;
        auto const& panel = experiment.panels[i];
        if (!only && only_waits(store.cells, panel)) continue;
        sources.push_back(source_of(store, experiment, panel, place_of(name, i, panel)));
    }
    // Some cell is finished: if only in sweeps without a panel, say of the first what it waits for.
    if (sources.empty()) {
        auto const& panel = experiment.panels.front();
        sources.push_back(source_of(store, experiment, panel, place_of(name, 0, panel)));
    }
    return sources;
}

plot::Figure store_figure(StoreContents const& store, StoredPanels const& experiment,
                          std::string const& name, std::optional<int> only)
{
    auto sources = panel_sources(store, experiment, name, only);
    plot::Figure figure;
    std::string empty, why_empty;
    std::erase_if(sources, [&](PanelSource const& source) {
        auto panel = draw_panel(source);
        if (panel.series.empty()) {
            empty += " Without any value: " + (panel.title.empty() ? "a panel" : panel.title) + ".";
            why_empty =
                fmt::format("{}: no policy has a value of {}{} in its cells", source.place,
                            source.panel.measure,
                            source.panel.baseline.empty() ? "" : " over " + source.panel.baseline);
            return true;
        }
        figure.panels.push_back(std::move(panel));
        return false;
    });
    if (sources.empty()) throw InputError(why_empty + "\n  crx panels says what is missing");
    figure.title = plot::typeset(experiment.title);
    if (figure.panels.size() == 1 && figure.panels[0].title == figure.title) figure.title.clear();
    figure.caption = figure_caption(store, sources);
    if (has_rings(figure))
        figure.caption += " Rings: where some runs never end, a point shows the others.";
    figure.caption += guides_text(sources);
    figure.caption += empty;
    if (!only)
        for (auto const& panel : experiment.panels)
            if (only_waits(store.cells, panel))
                figure.caption += " Nothing to draw yet: " + plot::typeset(panel.title) + ".";
    return figure;
}

} // namespace crx
