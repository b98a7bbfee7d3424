#include "host/report/chart.hh"

#include "host/report/html.hh"
#include "host/report/replay_line.hh"

namespace crx::report {

Chart make_chart(PanelSource const& source, plot::Panel panel, std::string const& store,
                 std::optional<BaselineKind> fallback)
{
    Chart chart;
    std::vector<SeriesOrigin> origins;
    auto const series = panel_series(source, &origins);
    auto const baseline = is_ratio(source.measure) ? std::optional(source.baseline) : fallback;
    for (std::size_t i = 0; i < series.size(); ++i) {
        ChartLine line{"s" + std::to_string(i), series[i].label, series[i].style, {}, {}};
        auto const& label = source.policies[origins[i].policy].label;
        for (std::size_t k = 0; k < series[i].points.size(); ++k) {
            auto const& cell = *origins[i].cells[k];
            auto const worst =
                cell.paths != nullptr || baseline
                    ? worst_instance(cell, origins[i].policy, baseline.value_or(BaselineKind::h_sf))
                    : std::nullopt;
            auto const instance = worst.value_or(0);
            line.points.push_back({series[i].points[k], origins[i].counts[k], &cell, instance,
                                   replay_line(store, cell.index, instance, label)});
        }
        chart.lines.push_back(std::move(line));
    }
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        auto const& curve = panel.curves[i];
        chart.lines.push_back(
            {"c" + std::to_string(i), curve.label, curve.style, {}, curve.points});
    }
    chart.panel = std::move(panel);
    return chart;
}

} // namespace crx::report
