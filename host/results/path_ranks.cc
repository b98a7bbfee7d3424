#include "host/results/path_ranks.hh"

#include "host/json_number.hh"
#include "host/results/panel_document.hh"
#include "host/results/panel_fits.hh"
#include "host/results/rank_text.hh"
#include "kernels/base/counted.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crx {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::vector<double> latencies_of(CellResult const& cell, std::size_t policy)
{
    std::vector<double> values;
    for (auto const& path : cell.paths->at(policy))
        values.push_back(fluid::latency(path.tallies[cell.horizon]));
    return values;
}

/// Mean difference of latencies on the paths that both have run.
fluid::PathMean difference(CellResult const& cell, std::size_t one, std::size_t other,
                           double confidence)
{
    auto values = latencies_of(cell, one);
    auto const minus = latencies_of(cell, other);
    values.resize(std::min(values.size(), minus.size()));
    double scale = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        scale = std::max(scale, std::abs(minus[i]));
        values[i] -= minus[i];
    }
    return fluid::mean_of_paths(values, confidence, scale);
}

/// Whether a difference is surely above 0.
bool is_above(fluid::PathMean const& d)
{
    return std::isfinite(d.half_width) && d.mean - d.half_width > 0;
}

std::optional<PathExponent> exponent_of(fluid::Paths const& paths, fluid::PathMeasure measure,
                                        double confidence)
{
    auto const horizons = paths.front().size();
    if (horizons < 2) return std::nullopt;
    PathExponent found{fluid::exponent(paths, 0, measure, confidence), {}};
    if (!std::isfinite(found.all.value)) return std::nullopt;
    found.later =
        horizons < 4 ? found.all : fluid::exponent(paths, horizons / 2, measure, confidence);
    return found;
}

RankedPaths ranked(CellResult const& cell, std::size_t policy, double confidence)
{
    RankedPaths row;
    row.policy = policy;
    row.point = horizon_point(cell, policy, confidence);
    row.paths = runs_of(cell, policy);
    auto const latencies = latencies_of(cell, policy);
    row.with_arrivals = std::ranges::count_if(latencies, [](double x) { return !std::isnan(x); });
    auto const paths = tallies_of(cell, policy);
    row.gap = exponent_of(paths, fluid::gap, confidence);
    row.latency = exponent_of(paths, fluid::latency, confidence);
    row.first_token = exponent_of(paths, fluid::first_token, confidence);
    return row;
}

void give_ranks(CellResult const& cell, std::vector<RankedPaths>& rows, double confidence)
{
    std::ranges::stable_sort(rows, [](RankedPaths const& a, RankedPaths const& b) {
        if (std::isnan(a.point.latency.mean)) return false;
        return std::isnan(b.point.latency.mean) || a.point.latency.mean < b.point.latency.mean;
    });
    auto const has_rank = [](RankedPaths const& r) { return !std::isnan(r.point.latency.mean); };
    auto const count = std::ranges::count_if(rows, has_rank);
    for (auto& row : rows) {
        if (!has_rank(row)) continue;
        row.least_rank = 1;
        row.most_rank = count;
        for (auto const& other : rows) {
            if (&other == &row || !has_rank(other)) continue;
            row.least_rank += is_above(difference(cell, row.policy, other.policy, confidence));
            row.most_rank -= is_above(difference(cell, other.policy, row.policy, confidence));
        }
        if (&row != &rows.front())
            row.behind = difference(cell, row.policy, rows.front().policy, confidence);
    }
}

std::string shown(fluid::PathMean const& m)
{
    if (!std::isfinite(m.mean)) return "-";
    return written_with_error(m.mean, std::isfinite(m.half_width) ? std::optional(m.half_width)
                                                                  : std::nullopt);
}

std::string shown(std::optional<PathExponent> const& e)
{
    if (!e) return "-";
    auto const text = shown(fluid::PathMean{e->all.value, e->all.half_width});
    return e->changing() ? fmt::format("{}, later {:.2f}", text, e->later.value) : text;
}

OrderedJson json_of(fluid::PathMean const& m)
{
    if (!std::isfinite(m.mean)) return nullptr;
    return {{"mean", m.mean},
            {"low", number_or_null(m.mean - m.half_width)},
            {"high", number_or_null(m.mean + m.half_width)}};
}

OrderedJson json_of(std::optional<PathExponent> const& e)
{
    if (!e) return nullptr;
    return {{"value", e->all.value},
            {"half_width", number_or_null(e->all.half_width)},
            {"later_half", number_or_null(e->later.value)},
            {"changing", e->changing()}};
}

} // namespace

bool PathExponent::changing() const
{
    auto const width = [](fluid::Exponent const& e) {
        return std::isfinite(e.half_width) ? e.half_width : 0;
    };
    auto const change = std::abs(later.value - all.value);
    return change > width(all) + width(later) && change > 0.05 * std::abs(all.value);
}

std::vector<PathRankTable> path_rank_tables(StoreContents const& contents, double confidence,
                                            std::optional<std::int64_t> only)
{
    std::vector<PathRankTable> tables;
    for (auto const& cell : contents.cells) {
        if (cell.type >= 0 || cell.instances == 0 || cell.facts == nullptr ||
            cell.horizon + 1 != cell.facts->horizons.size() || (only && cell.index != *only))
            continue;
        PathRankTable table{&cell, {}};
        for (std::size_t k = 0; k < contents.header.policies.size(); ++k)
            if (runs_of(cell, k) > 0) table.policies.push_back(ranked(cell, k, confidence));
        give_ranks(cell, table.policies, confidence);
        tables.push_back(std::move(table));
    }
    return tables;
}

std::string path_rank_text(StoreContents const& contents, std::vector<PathRankTable> const& tables,
                           double confidence)
{
    std::string text;
    for (auto const& table : tables) {
        auto const place = point_text(table.cell->coordinates);
        text += fmt::format("sweep {}, cell {}{}: by mean latency at the last horizon, {:g} % "
                            "intervals\n",
                            table.cell->sweep, table.cell->index, place.empty() ? "" : ": " + place,
                            100 * confidence);
        std::vector<std::vector<std::string>> rows{
            {"rank", "policy", "latency (s)", "behind the first", "throughput (tokens/s)",
             "gap (tokens/s)", "exponent of latency", "of first token", "of gap"}};
        for (auto const& p : table.policies) {
            rows.push_back({rank_range(p.least_rank, p.most_rank),
                            contents.header.policies[p.policy].label, shown(p.point.latency),
                            p.behind ? shown(*p.behind) : "", shown(p.point.throughput),
                            shown(p.point.gap), shown(p.latency), shown(p.first_token),
                            shown(p.gap)});
        }
        text += aligned(rows);
        for (auto const& p : table.policies)
            if (p.with_arrivals < p.paths)
                text += fmt::format("  {}: latencies are over {} of {}, as nobody arrives on the "
                                    "others\n",
                                    contents.header.policies[p.policy].label, p.with_arrivals,
                                    counted(p.paths, "path"));
    }
    return text;
}

OrderedJson path_rank_json(StoreContents const& contents, std::vector<PathRankTable> const& tables)
{
    auto rows = OrderedJson::array();
    for (auto const& table : tables)
        for (auto const& p : table.policies) {
            OrderedJson row{{"policy", contents.header.policies[p.policy].label},
                            {"sweep", table.cell->sweep},
                            {"cell", table.cell->index},
                            {"coordinates", coordinates_json(*table.cell)},
                            {"rank", OrderedJson()},
                            {"paths", p.paths},
                            {"with_arrivals", p.with_arrivals},
                            {"throughput", json_of(p.point.throughput)},
                            {"gap", json_of(p.point.gap)},
                            {"latency", json_of(p.point.latency)},
                            {"behind_the_first", p.behind ? json_of(*p.behind) : OrderedJson()},
                            {"first_token", json_of(p.point.first_token)},
                            {"peak_memory", json_of(p.point.peak_memory)},
                            {"largest_memory", p.point.largest_memory},
                            {"memory_limit", nullptr},
                            {"overflow", nullptr},
                            {"exponents",
                             {{"gap", json_of(p.gap)},
                              {"latency", json_of(p.latency)},
                              {"first_token", json_of(p.first_token)}}}};
            if (p.least_rank > 0) row["rank"] = {p.least_rank, p.most_rank};
            if (auto const capacity = capacity_of(*table.cell, p.policy)) {
                row["memory_limit"] = *capacity;
                row["overflow"] = {{"count", p.point.overflow.count}, {"of", p.point.overflow.of}};
            }
            rows.push_back(std::move(row));
        }
    return rows;
}

} // namespace crx
