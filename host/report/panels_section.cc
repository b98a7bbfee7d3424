#include "analysis/plot/palette.hh"
#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/experiment/experiment.hh"
#include "host/plot/point_counts.hh"
#include "host/plot/store_figure.hh"
#include "host/report/chart.hh"
#include "host/report/section.hh"
#include "kernels/base/counted.hh"

#include <fmt/format.h>

namespace crx::report {

namespace {

/// A line of the key, with a box that shows or hides what it stands for. The sample is drawn by the
/// page's script, which has the chart's own symbols.
std::string key_entry(ChartLine const& line)
{
    return fmt::format(
        "<li><label><input type=\"checkbox\" checked data-line=\"{}\">"
        "<span class=\"sample\" style=\"color:{}\"></span><span>{}</span></label></li>\n",
        line.id, plot::colour_code(line.style.colour), html_of_enhanced(line.label));
}

std::string key_of(Chart const& chart)
{
    std::string text = "<ul class=\"key\" aria-label=\"Lines of the chart: show or hide\">\n";
    for (auto const& line : chart.lines)
        if (!line.label.empty()) text += key_entry(line);
    return text + "</ul>\n";
}

std::vector<TableCell> value_row(ChartLine const& line, ChartPoint const& point)
{
    auto const number = [](std::optional<double> value) {
        return value ? TableCell{fmt::format("{:.6g}", *value), *value} : TableCell{"–"};
    };
    return {{html_of_enhanced(line.label)},
            number(point.point.x),
            number(point.point.y),
            number(point.point.low),
            number(point.point.high),
            {escaped(counts_text(point.counts)), static_cast<double>(point.counts.behind)},
            {fmt::format("{}: {}", point.cell->index, escaped(point_text(point.cell->coordinates))),
             static_cast<double>(point.cell->index)},
            {command(point.replay)}};
}

/// All values, which is also what a screen reader reads in place of the chart.
std::string values_of(ReportedStore const& store, Chart const& chart, std::size_t panel)
{
    constexpr std::size_t most = 1500;
    std::vector<std::vector<TableCell>> rows;
    std::size_t all = 0;
    for (auto const& line : chart.lines)
        for (auto const& point : line.points)
            if (++all <= most) rows.push_back(value_row(line, point));
    auto text = fmt::format("<details><summary>Values: {}</summary>\n",
                            counted(static_cast<std::int64_t>(all), "point"));
    text += table(fmt::format("Values of panel {}", panel),
                  {"series", html_of_enhanced(chart.panel.x.label),
                   html_of_enhanced(chart.panel.y.label), "from", "to", "behind it", "cell",
                   "runs its worst instance again"},
                  rows);
    if (all > most)
        text += fmt::format("<p>{} more: {}</p>\n",
                            counted(static_cast<std::int64_t>(all - most), "point"),
                            command(fmt::format("crx panels {} --panel {}", store.name, panel)));
    return text + "</details>\n";
}

/// What the chart shows in a sentence.
std::string description_of(Chart const& chart)
{
    std::size_t series = 0, points = 0;
    for (auto const& line : chart.lines) {
        series += line.points.empty() ? 0 : 1;
        points += line.points.size();
    }
    return fmt::format("{} against {}: {} in {}, {}. The table of values has every point.",
                       plain_of_enhanced(chart.panel.y.label),
                       plain_of_enhanced(chart.panel.x.label),
                       counted(static_cast<std::int64_t>(points), "point"),
                       series == 1 ? "1 series" : fmt::format("{} series", series),
                       counted(static_cast<std::int64_t>(chart.panel.curves.size()), "curve"));
}

std::string figure_of(ReportedStore const& store, std::size_t number, Notes& notes)
{
    auto const only = static_cast<int>(number);
    auto figure = store_figure(store.contents, store.experiment, store.name, only);
    auto const source = panel_sources(store.contents, store.experiment, store.name, only).front();
    auto const& baselines = store.contents.header.baselines;
    auto const chart =
        make_chart(source, figure.panels.front(), store.name,
                   baselines.empty() ? std::nullopt : baseline_named(baselines.front()));
    auto const caption = html_of_enhanced(figure.caption);
    auto const title = html_of_enhanced(figure.panels.front().title);
    figure.title.clear();
    figure.caption.clear();
    figure.panels.front().title.clear();
    auto const description = description_of(chart);
    auto const id = store.id(fmt::format("panel-{}", number));
    std::string text = fmt::format("<figure class=\"panel\" id=\"{}\">\n<h4>Panel {}{}</h4>\n", id,
                                   number, title.empty() ? "" : ": " + title);
    text += fmt::format("<div class=\"interactive\" hidden>\n<div class=\"controls\"></div>\n{}"
                        "<div class=\"chart\" tabindex=\"0\" role=\"group\" aria-label=\"Chart: {} "
                        "Arrow keys go from point to point, Enter copies the replay command.\">"
                        "</div>\n<div class=\"picked\" aria-live=\"polite\"></div>\n</div>\n",
                        key_of(chart), escaped(description));
    text += "<div class=\"printed\">" + printed_figure(figure, description, notes) + "</div>\n";
    text += "<figcaption>" + caption + "</figcaption>\n";
    text += values_of(store, chart, number);
    return text + "<script type=\"application/json\" class=\"data\">" +
           json_in_script(chart_json(chart)) + "</script>\n</figure>\n";
}

} // namespace

std::string panels_section(ReportedStore const& store, Notes& notes)
{
    if (store.experiment.panels.empty()) return {};
    auto text = heading(store, "panels", "Panels");
    for (std::size_t i = 0; i < store.experiment.panels.size(); ++i) {
        try {
            text += figure_of(store, i + 1, notes);
        } catch (InputError const& error) {
            text +=
                fmt::format("<p id=\"{}\">Panel {} is not drawn. {}</p>\n",
                            store.id(fmt::format("panel-{}", i + 1)), i + 1, escaped(error.what()));
        }
    }
    return text;
}

} // namespace crx::report
