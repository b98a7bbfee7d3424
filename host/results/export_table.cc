#include "host/results/export_table.hh"

#include "analysis/statistics/baseline_name.hh"
#include "analysis/statistics/basis.hh"
#include "analysis/statistics/estimate.hh"
#include "analysis/statistics/quantile.hh"
#include "analysis/statistics/summary.hh"
#include "host/error.hh"
#include "host/results/request_measures.hh"
#include "host/store/sums_text.hh"

#include <algorithm>
#include <set>

namespace crx {

namespace {

using Row = std::vector<ExportValue>;

constexpr char const* before_parameters[] = {"sweep", "cell"};
constexpr char const* after_parameters[] = {"policy",
                                            "baseline",
                                            "denominator",
                                            "instances",
                                            "unfinished",
                                            "mean_of_ratios",
                                            "mean_of_ratios_low",
                                            "mean_of_ratios_high",
                                            "ratio_deviation",
                                            "ratio_of_means",
                                            "ratio_of_means_low",
                                            "ratio_of_means_high",
                                            "min_ratio",
                                            "min_instance",
                                            "max_ratio",
                                            "max_instance",
                                            "p01",
                                            "p50",
                                            "p99",
                                            "mean_latency",
                                            "mean_makespan",
                                            "mean_cancellations",
                                            "mean_wasted_tokens",
                                            "peak_memory",
                                            "latency_sum",
                                            "baseline_sum",
                                            "makespan_sum",
                                            "cancellations_sum",
                                            "wasted_tokens_sum",
                                            "mean_latency_low",
                                            "mean_latency_high",
                                            "mean_first_token",
                                            "first_token_sum",
                                            "unfinished_cycle",
                                            "unfinished_round_cap",
                                            "unfinished_blocked",
                                            "unfinished_out_of_range",
                                            "mean_first_token_low",
                                            "mean_first_token_high",
                                            "mean_makespan_low",
                                            "mean_makespan_high",
                                            "divided",
                                            "seed",
                                            "commit",
                                            "time_unit",
                                            "sum_time_unit",
                                            "memory_unit",
                                            "confidence",
                                            "different_ratios",
                                            "ratios_off_mode",
                                            "largest_five_share"};

} // namespace

std::vector<std::string> parameter_names(StoreContents const& contents)
{
    std::vector<std::string> names;
    std::set<std::string> others;
    for (auto const& cell : contents.cells) {
        for (auto const& [axis, value] : cell.coordinates)
            if (std::find(names.begin(), names.end(), axis) == names.end()) names.push_back(axis);
        for (auto const& [name, value] : cell.parameters) others.insert(name);
    }
    for (auto const& name : names) others.erase(name);
    names.insert(names.end(), others.begin(), others.end());
    return names;
}

std::vector<std::string> columns_around(std::span<char const* const> before,
                                        std::vector<std::string> const& parameters,
                                        std::span<char const* const> after)
{
    std::vector<std::string> columns(before.begin(), before.end());
    columns.insert(columns.end(), after.begin(), after.end());
    std::set<std::string> const fixed(columns.begin(), columns.end());
    auto place = columns.begin() + static_cast<std::ptrdiff_t>(before.size());
    for (auto const& name : parameters)
        place = columns.insert(place, fixed.contains(name) ? "parameter_" + name : name) + 1;
    return columns;
}

void add_provenance(std::vector<ExportValue>& row, StoreContents const& contents,
                    CellResult const& cell, std::string const& time, std::string const& sum_time,
                    double confidence)
{
    row.push_back(Digits{std::to_string(contents.header.seed)});
    std::string commits;
    for (auto const& commit : cell.commits) commits += (commits.empty() ? "" : "; ") + commit;
    row.push_back(commits.empty() ? ExportValue() : ExportValue(commits));
    for (auto const& unit : {time, sum_time, std::string("tokens")}) row.push_back(unit);
    row.push_back(confidence);
}

ExportValue parameter_value(CellResult const& cell, std::string const& name)
{
    for (auto const& [axis, value] : cell.coordinates)
        if (axis == name) return value;
    auto const found = cell.parameters.find(name);
    return found == cell.parameters.end() ? ExportValue() : ExportValue(found->second);
}

bool has_request_measures(StoreContents const& contents)
{
    return std::ranges::any_of(contents.cells, [](CellResult const& cell) {
        return cell.identity.find("\"measures\":") != std::string::npos;
    });
}

void add_request_columns(std::vector<std::string>& columns)
{
    for (auto name : request_statistic_names()) {
        std::ranges::replace(name, '-', '_');
        // Sums of whole instances have columns of these names.
        columns.push_back("request_" + name);
        columns.push_back("request_" + name + "_low");
        columns.push_back("request_" + name + "_high");
    }
}

void add_request_measures(std::vector<ExportValue>& row, CellResult const& cell, std::size_t policy,
                          double confidence)
{
    auto const bound = [](std::optional<double> const& value) {
        return value ? ExportValue(*value) : ExportValue();
    };
    for (auto const& name : request_statistic_names()) {
        auto const found =
            measure_requests(cell, policy, *request_statistic_named(name), confidence);
        row.push_back(found ? ExportValue(found->value) : ExportValue());
        row.push_back(found ? bound(found->low) : ExportValue());
        row.push_back(found ? bound(found->high) : ExportValue());
    }
}

namespace {

ExportValue maybe(std::optional<double> const& value)
{
    return value ? ExportValue(*value) : ExportValue();
}

void add_estimate(Row& row, std::optional<Estimate> const& estimate)
{
    row.push_back(estimate ? ExportValue(estimate->mean) : ExportValue());
    row.push_back(estimate ? maybe(shown_low(*estimate)) : ExportValue());
    row.push_back(estimate ? maybe(shown_high(*estimate)) : ExportValue());
}

void add_extreme(Row& row, std::optional<double> const& ratio, std::int64_t instance)
{
    row.push_back(maybe(ratio));
    row.push_back(ratio ? ExportValue(instance) : ExportValue());
}

void add_ratios(Row& row, PolicyTally const& tally, BaselineKind kind, double confidence)
{
    auto const summary = summarise(tally, kind, confidence);
    auto const& ratio = tally.sums.ratio[static_cast<int>(kind)];
    add_estimate(row, summary.mean_of_ratios);
    row.push_back(summary.mean_of_ratios ? maybe(summary.mean_of_ratios->deviation)
                                         : ExportValue());
    add_estimate(row, summary.ratio_of_means);
    add_extreme(row, summary.smallest, summary.smallest_instance);
    add_extreme(row, summary.largest, summary.largest_instance);
    for (double const p : {0.01, 0.50, 0.99})
        row.push_back(maybe(quantile(tally.histogram[static_cast<int>(kind)], p,
                                     ratio.smallest.ratio, ratio.largest.ratio)));
}

void add_sums(Row& row, PolicySums const& s, BaselineKind kind)
{
    for (Unsigned128 const sum : {s.latency, s.makespan, s.cancellations, s.wasted_tokens})
        row.push_back(s.count > 0 ? ExportValue(nearest_quotient(to_big(sum), s.count))
                                  : ExportValue());
    row.push_back(s.count > 0 ? ExportValue(s.peak_memory) : ExportValue());
    for (Unsigned128 const sum : {s.latency, s.ratio[static_cast<int>(kind)].baseline_sum,
                                  s.makespan, s.cancellations, s.wasted_tokens})
        row.push_back(Digits{to_text(sum)});
}

/// Columns that came later, so that those before keep their places.
void add_later_columns(Row& row, PolicySums const& s, double confidence)
{
    auto const add_interval = [&](Unsigned128 sum, Unsigned192 const& squares) {
        std::optional<Estimate> mean;
        if (s.count > 0) mean = estimate_mean(s.count, to_big(sum), to_big(squares), 1, confidence);
        row.push_back(mean ? maybe(shown_low(*mean)) : ExportValue());
        row.push_back(mean ? maybe(shown_high(*mean)) : ExportValue());
    };
    add_interval(s.latency, s.latency_squares);
    row.push_back(s.count > 0
                      ? ExportValue(nearest_quotient(to_big(s.first_token_latency), s.count))
                      : ExportValue());
    row.push_back(Digits{to_text(s.first_token_latency)});
    for (auto const reason :
         {Unfinished::cycle, Unfinished::round_cap, Unfinished::blocked, Unfinished::out_of_range})
        row.push_back(s.unfinished_by[static_cast<int>(reason)]);
    add_interval(s.first_token_latency, s.first_token_squares);
    add_interval(s.makespan, s.makespan_squares);
}

void add_basis(Row& row, Basis const& basis)
{
    row.push_back(basis.different ? ExportValue(*basis.different) : ExportValue());
    row.push_back(basis.off_mode ? ExportValue(*basis.off_mode) : ExportValue());
    row.push_back(maybe(basis.largest_five));
}

} // namespace

ExportTable make_export(StoreContents const& contents, double confidence)
{
    if (contents.header.model == Model::iterations) return make_path_export(contents, confidence);
    ExportTable table;
    auto const names = parameter_names(contents);
    table.columns = columns_around(before_parameters, names, after_parameters);
    bool const measured = has_request_measures(contents);
    if (measured) add_request_columns(table.columns);
    for (auto const& cell : contents.cells) {
        for (std::size_t p = 0; p < cell.tally.size(); ++p) {
            for (auto const& id : contents.header.baselines) {
                auto const kind = baseline_named(id);
                if (!kind)
                    throw InputError("the store has a baseline unknown to this version: " + id);
                auto const& tally = cell.tally[p];
                Row row{cell.sweep, cell.index};
                for (auto const& name : names) row.push_back(parameter_value(cell, name));
                row.push_back(contents.header.policies[p].label);
                row.push_back(id);
                row.push_back(std::string(name_of(*kind).denominator));
                row.push_back(runs_of(cell, p));
                row.push_back(tally.sums.unfinished);
                add_ratios(row, tally, *kind, confidence);
                add_sums(row, tally.sums, *kind);
                add_later_columns(row, tally.sums, confidence);
                row.push_back(divided_by(tally, *kind));
                auto const time = cell.parameters.contains("d0") ? "nanoseconds" : "rounds";
                add_provenance(row, contents, cell, time, time, confidence);
                add_basis(row, basis_of(tally, *kind));
                if (measured) add_request_measures(row, cell, p, confidence);
                CRX_ENSURE(row.size() == table.columns.size());
                table.rows.push_back(std::move(row));
                auto const known = p < cell.engines.size() && !cell.engines[p].empty();
                table.engines.push_back(known ? ExportValue(cell.engines[p]) : ExportValue());
            }
        }
    }
    return table;
}

} // namespace crx
