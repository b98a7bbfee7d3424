#include "analysis/statistics/baseline_name.hh"
#include "host/experiment/experiment.hh"
#include "host/plot/panel_fits.hh"
#include "host/rank/rank_table.hh"
#include "host/report/section.hh"
#include "host/results/path_points.hh"
#include "kernels/base/counted.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx::report {

namespace {

TableCell number(double value) { return {fmt::format("{:.6g}", value), value}; }

/// A mean with its half-width and, in brackets, its interval.
TableCell estimate(std::optional<Estimate> const& e)
{
    if (!e) return {"–"};
    auto text = written_with_error(e->mean, e->half_width);
    if (e->half_width)
        text += fmt::format(" <small>[{:.6g}, {:.6g}]</small>", *e->low(), *e->high());
    return {text, e->mean};
}

std::string place_of(CellResult const& cell)
{
    auto const text = point_text(cell.coordinates);
    return fmt::format("cell {}{}", cell.index, text.empty() ? "" : ": " + escaped(text));
}

std::vector<TableCell> row_of(ReportedStore const& store, RankTable const& ranks,
                              RankedPolicy const& policy)
{
    auto const rank = policy.least_rank == 0 ? std::string("none")
                      : policy.least_rank == policy.most_rank
                          ? std::to_string(policy.least_rank)
                          : fmt::format("{}–{}", policy.least_rank, policy.most_rank);
    std::vector<TableCell> row{
        {escaped(store.contents.header.policies[policy.policy].label)},
        {rank, policy.least_rank == 0 ? 1e9 : static_cast<double>(policy.least_rank)},
        estimate(policy.mean),
        policy.behind ? estimate(policy.behind) : TableCell{"–", 0.0}};
    row.push_back(
        {policy.least_rank == 0 ? "–" : fmt::format("{} of {}", policy.best_in, ranks.compared),
         static_cast<double>(policy.best_in)});
    row.push_back(estimate(policy.worst));
    row.push_back({policy.worst_cell == nullptr ? "–" : place_of(*policy.worst_cell)});
    row.push_back(
        {policy.unfinished == 0 ? "0" : fmt::format("{} of {}", policy.unfinished, policy.runs),
         static_cast<double>(policy.unfinished)});
    return row;
}

std::string rank_tables_of(ReportedStore const& store, BaselineKind baseline)
{
    std::string text;
    auto const confidence = store.experiment.confidence;
    for (auto const& ranks : rank_tables(store.contents, baseline, confidence)) {
        std::vector<std::vector<TableCell>> rows;
        for (auto const& policy : ranks.policies) rows.push_back(row_of(store, ranks, policy));
        auto const& name = name_of(ranks.baseline);
        auto const cells =
            ranks.compared == ranks.cells
                ? counted(ranks.cells, "cell")
                : fmt::format("{} of {}", ranks.compared, counted(ranks.cells, "cell"));
        text +=
            table(fmt::format("Sweep {}: {} over {} ({}), {}, {:g}&nbsp;% intervals",
                              escaped(ranks.sweep),
                              ranks.ratio_of_means ? "ratio of means" : "mean of ratios",
                              escaped(name.id), escaped(name.denominator), cells, 100 * confidence),
                  {"policy", "rank", "mean over cells", "behind the first", "best in", "largest",
                   "where", "unfinished runs"},
                  rows);
    }
    return text;
}

TableCell mean(fluid::PathMean const& m)
{
    if (!std::isfinite(m.mean)) return {"–"};
    if (!std::isfinite(m.half_width)) return number(m.mean);
    return {fmt::format("{} <small>[{:.6g}, {:.6g}]</small>",
                        written_with_error(m.mean, m.half_width), m.mean - m.half_width,
                        m.mean + m.half_width),
            m.mean};
}

/// The iteration model: every policy of every cell at its last horizon.
std::string path_table(ReportedStore const& store)
{
    constexpr std::size_t most = 400;
    std::vector<std::vector<TableCell>> rows;
    std::size_t left = 0;
    for (auto const& cell : store.contents.cells) {
        if (cell.type >= 0 || cell.instances == 0 || cell.facts == nullptr ||
            cell.horizon + 1 != cell.facts->horizons.size())
            continue;
        for (std::size_t k = 0; k < store.contents.header.policies.size(); ++k) {
            if (runs_of(cell, k) == 0) continue;
            if (rows.size() == most) {
                ++left;
                continue;
            }
            auto const p = horizon_point(cell, k, store.experiment.confidence);
            auto const capacity = capacity_of(cell, k);
            rows.push_back(
                {{escaped(store.contents.header.policies[k].label)},
                 {place_of(cell), static_cast<double>(cell.index)},
                 mean(p.throughput),
                 mean(p.gap),
                 mean(p.latency),
                 mean(p.first_token),
                 mean(p.peak_memory),
                 number(static_cast<double>(p.largest_memory)),
                 capacity ? number(static_cast<double>(*capacity)) : TableCell{"none"},
                 capacity ? TableCell{fmt::format("{} of {}", p.overflow.count, p.overflow.of),
                                      p.overflow.share()}
                          : TableCell{"–"}});
        }
    }
    if (rows.empty()) return {};
    auto text = table(fmt::format("At the last horizon, {:g}&nbsp;% intervals",
                                  100 * store.experiment.confidence),
                      {"policy", "cell", "throughput (tokens/s)", "throughput gap (tokens/s)",
                       "latency (s)", "first token (s)", "peak memory (tokens)",
                       "largest memory (tokens)", "memory limit (tokens)", "paths above it"},
                      rows);
    if (left > 0)
        text += fmt::format("<p>{} more: {}</p>\n", counted(static_cast<std::int64_t>(left), "row"),
                            command("crx export " + store.name));
    return text;
}

} // namespace

std::string ranks_section(ReportedStore const& store)
{
    if (store.contents.header.model == Model::iterations) {
        auto const text = path_table(store);
        return text.empty() ? text : heading(store, "policies", "Policies") + text;
    }
    std::string text;
    bool first = true;
    for (auto const& id : store.contents.header.baselines) {
        auto const baseline = baseline_named(id);
        if (!baseline) continue;
        auto const tables = rank_tables_of(store, *baseline);
        text += first ? tables
                      : fmt::format("<details><summary>Over {}</summary>\n{}</details>\n",
                                    escaped(id), tables);
        first = false;
    }
    if (text.empty()) return {};
    return heading(store, "policies", "Policies") +
           "<p>A rank 2–3 means that the instances do not say which of these places. Policies of a "
           "cell met the same instances, and differences are paired.</p>\n" +
           text;
}

} // namespace crx::report
