#include "host/results/export_table.hh"

#include "host/results/panel_series.hh"
#include "host/results/path_points.hh"
#include "host/results/request_measures.hh"
#include "host/store/sums_text.hh"

#include <algorithm>
#include <cmath>

namespace crx {

namespace {

using Row = std::vector<ExportValue>;

constexpr char const* before_path_parameters[] = {"sweep", "cell"};
constexpr char const* after_path_parameters[] = {"policy",
                                                 "type",
                                                 "prompt",
                                                 "output",
                                                 "horizon",
                                                 "instances",
                                                 "throughput_gap",
                                                 "throughput_gap_low",
                                                 "throughput_gap_high",
                                                 "throughput_gap_as_in_8",
                                                 "throughput_gap_as_in_8_low",
                                                 "throughput_gap_as_in_8_high",
                                                 "throughput",
                                                 "throughput_low",
                                                 "throughput_high",
                                                 "mean_latency",
                                                 "mean_latency_low",
                                                 "mean_latency_high",
                                                 "mean_first_token",
                                                 "mean_first_token_low",
                                                 "mean_first_token_high",
                                                 "peak_memory",
                                                 "peak_memory_low",
                                                 "peak_memory_high",
                                                 "largest_memory",
                                                 "capacity",
                                                 "overflow_paths",
                                                 "overflow_frequency_low",
                                                 "overflow_frequency_high",
                                                 "arrivals_sum",
                                                 "arrived_tokens_sum",
                                                 "completed_sum",
                                                 "completed_tokens_sum",
                                                 "first_tokens_sum",
                                                 "latency_sum",
                                                 "first_token_sum",
                                                 "iterations_sum",
                                                 "batch_prompts_sum",
                                                 "cancelled_sum",
                                                 "overflows_sum",
                                                 "with_arrivals",
                                                 "seed",
                                                 "commit",
                                                 "time_unit",
                                                 "sum_time_unit",
                                                 "memory_unit",
                                                 "confidence"};

ExportValue maybe(double value)
{
    return std::isfinite(value) ? ExportValue(value) : ExportValue();
}

void add_mean(Row& row, fluid::PathMean const& m)
{
    row.push_back(maybe(m.mean));
    row.push_back(maybe(m.mean - m.half_width));
    row.push_back(maybe(m.mean + m.half_width));
}

void add_nothing(Row& row, int columns)
{
    row.resize(row.size() + static_cast<std::size_t>(columns));
}

/// Exact sums over paths, as the columns have them.
struct Sums
{
    std::int64_t arrivals = 0, completed = 0, first_tokens = 0;
    Unsigned128 latency = 0, first_token = 0;
    Unsigned128 arrived_tokens = 0, completed_tokens = 0, iterations = 0, prompts = 0;
    std::int64_t cancelled = 0, overflows = 0;
};

void add_totals(Row& row, CellResult const& cell, std::size_t policy, double confidence)
{
    auto const p = horizon_point(cell, policy, confidence);
    for (auto const& mean :
         {p.gap, p.gap_as_in_8, p.throughput, p.latency, p.first_token, p.peak_memory})
        add_mean(row, mean);
    row.push_back(p.largest_memory);
    auto const capacity = capacity_of(cell, policy);
    row.push_back(capacity ? ExportValue(*capacity) : ExportValue());
    row.push_back(capacity ? ExportValue(p.overflow.count) : ExportValue());
    row.push_back(capacity ? ExportValue(p.overflow.low) : ExportValue());
    row.push_back(capacity ? ExportValue(p.overflow.high) : ExportValue());
    Sums s;
    for (auto const& path : cell.paths->at(policy)) {
        auto const& t = path.tallies[cell.horizon];
        s.arrivals += t.arrivals;
        s.arrived_tokens += static_cast<Unsigned128>(t.arrived_tokens);
        s.completed += t.completed;
        s.completed_tokens += static_cast<Unsigned128>(t.completed_tokens);
        s.first_tokens += t.first_tokens;
        s.latency += t.total_latency();
        s.first_token += t.total_time_to_first_token();
        s.iterations += static_cast<Unsigned128>(t.iterations);
        s.prompts += static_cast<Unsigned128>(t.batch_prompts);
        s.cancelled += t.cancelled;
        s.overflows += t.overflows;
    }
    row.insert(row.end(),
               {s.arrivals, Digits{to_text(s.arrived_tokens)}, s.completed,
                Digits{to_text(s.completed_tokens)}, s.first_tokens, Digits{to_text(s.latency)},
                Digits{to_text(s.first_token)}, Digits{to_text(s.iterations)},
                Digits{to_text(s.prompts)}, s.cancelled, s.overflows});
}

void add_type(Row& row, CellResult const& cell, std::size_t policy, double confidence)
{
    auto const p = type_point(cell, policy, confidence);
    add_nothing(row, 9);
    add_mean(row, p.latency);
    add_mean(row, p.first_token);
    add_nothing(row, 8);
    Sums s;
    for (auto const& path : cell.paths->at(policy)) {
        auto const until = path.tallies[cell.horizon].until;
        auto const& t = path.types[cell.horizon][static_cast<std::size_t>(cell.type)];
        s.latency += t.total_latency(until);
        s.first_token += t.total_time_to_first_token(until);
    }
    row.insert(row.end(), {p.arrivals,
                           {},
                           p.completed,
                           {},
                           p.first_tokens,
                           Digits{to_text(s.latency)},
                           Digits{to_text(s.first_token)},
                           {},
                           {},
                           {},
                           {}});
}

void add_rows(StoreContents const& contents, CellResult const& cell,
              std::vector<std::string> const& names, bool measured, double confidence,
              ExportTable& table)
{
    auto const before_provenance =
        static_cast<int>(std::ranges::find(table.columns, "seed") - table.columns.begin());
    // What has not run yet has one row, without a horizon.
    if (cell.instances == 0 && (cell.horizon > 0 || cell.type >= 0)) return;
    for (std::size_t k = 0; k < contents.header.policies.size(); ++k) {
        Row row{cell.sweep, cell.index};
        for (auto const& name : names) row.push_back(parameter_value(cell, name));
        row.push_back(contents.header.policies[k].label);
        if (cell.type < 0) {
            add_nothing(row, 3);
        } else {
            auto const type = prompt_type_of(cell, cell.type);
            row.insert(row.end(), {cell.type, type.prompt, type.output});
        }
        if (runs_of(cell, k) == 0) {
            add_nothing(row, 1);
            row.push_back(std::int64_t{0});
            add_nothing(row, before_provenance - static_cast<int>(row.size()));
        } else {
            row.push_back(parameter_value(cell, "horizon"));
            row.push_back(runs_of(cell, k));
            cell.type < 0 ? add_totals(row, cell, k, confidence)
                          : add_type(row, cell, k, confidence);
            // What stands behind the means over requests.
            row.push_back(point_counts(cell, k, Measure::mean_latency, BaselineKind::h_sf).behind);
        }
        add_provenance(row, contents, cell, "seconds", "nanoseconds", confidence);
        if (measured) add_request_measures(row, cell, k, confidence);
        CRX_ENSURE(row.size() == table.columns.size());
        table.rows.push_back(std::move(row));
    }
}

} // namespace

ExportTable make_path_export(StoreContents const& contents, double confidence)
{
    ExportTable table;
    auto const names = parameter_names(contents);
    table.columns = columns_around(before_path_parameters, names, after_path_parameters);
    bool const measured = has_request_measures(contents);
    if (measured) add_request_columns(table.columns);
    for (auto const& cell : with_horizons(contents).cells)
        add_rows(contents, cell, names, measured, confidence, table);
    return table;
}

} // namespace crx
