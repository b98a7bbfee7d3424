#include "host/results/rank_text.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/experiment/experiment.hh"
#include "host/json_number.hh"
#include "host/results/panel_fits.hh"
#include "host/shell_word.hh"
#include "kernels/base/counted.hh"
#include "kernels/policies/key_expression.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using TextRow = std::vector<std::string>;

std::string shown(std::optional<Estimate> const& estimate)
{
    return estimate ? written_with_error(estimate->mean, estimate->half_width) : "-";
}

std::string place_of(CellResult const& cell)
{
    auto const text = point_text(cell.coordinates);
    return fmt::format("cell {}{}{}", cell.index, text.empty() ? "" : ": ", text);
}

/// Letters as a terminal counts them: "±" is two bytes and one column.
std::size_t width(std::string const& text)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

} // namespace

std::string aligned(std::vector<TextRow> const& rows)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (auto const& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    std::string text;
    for (auto const& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += "  " + row[i] + std::string(widths[i] - width(row[i]), ' ');
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

namespace {

/// Whether a policy of the user's own knows true lengths: it is sent them, or its key or what it
/// plans with reads `output`.
bool knows_lengths(StoreContents const& contents, std::size_t policy)
{
    auto const& id = contents.header.policies[policy].id;
    if (contents.cells.empty() || (id != "by-key" && id != "program" && id != "own-decisions"))
        return false;
    auto const identity = nlohmann::json::parse(contents.cells.front().identity);
    auto const of = identity.value("policies", nlohmann::json()).at(policy);
    if (of.value("knows_lengths", "false") == "true") return true;
    return id == "by-key" &&
           std::ranges::any_of(std::array{"key", "plans_with"}, [&](char const* name) {
               return KeyExpression(of.value(name, "0")).reads(KeyField::output);
           });
}

std::string measure_of(StoreContents const& contents, RankTable const& table)
{
    auto const& name = name_of(table.by.baseline);
    if (table.by.measure)
        return measure_label(*table.by.measure, table.by.baseline, "", time_unit_of(contents)) +
               (table.largest_first ? ", largest first" : "") +
               (is_paired(table) ? "" : ", differences not paired");
    return fmt::format("{} over {} ({})",
                       table.ratio_of_means ? "ratio of means" : "mean of ratios", name.id,
                       name.denominator);
}

std::string text_of(StoreContents const& contents, RankTable const& table, double confidence,
                    MissingBaselines& missing)
{
    bool const many = table.compared > 1;
    auto text =
        fmt::format("sweep {}: {}, {}, {:g} % intervals\n", table.sweep,
                    table.compared == table.cells
                        ? counted(table.cells, "cell")
                        : fmt::format("{} of {}", table.compared, counted(table.cells, "cell")),
                    measure_of(contents, table), 100 * confidence);
    if (table.compared > 0) {
        std::vector<TextRow> rows{
            many ? TextRow{"rank", "policy", "mean of cells", "behind the first", "best in",
                           table.largest_first ? "smallest, and where" : "largest, and where"}
                 : TextRow{"rank", "policy", table.by.measure ? "value" : "ratio",
                           "behind the first"}};
        for (auto const& policy : table.policies) {
            TextRow row{rank_range(policy.least_rank, policy.most_rank),
                        contents.header.policies[policy.policy].label +
                            (knows_lengths(contents, policy.policy) ? " (knows lengths)" : ""),
                        shown(policy.mean) + (policy.few_cells > 0 ? " *" : ""),
                        policy.behind ? shown(policy.behind) : ""};
            if (many) {
                row.push_back(policy.least_rank > 0
                                  ? fmt::format("{} of {}", policy.best_in, table.compared)
                                  : "");
                row.push_back(
                    policy.worst ? shown(policy.worst) + ", " + place_of(*policy.worst_cell) : "-");
            }
            rows.push_back(row);
        }
        text += aligned(rows);
    }
    for (auto const& policy : table.policies)
        if (policy.unfinished > 0)
            text += fmt::format("  {}: {} of {} runs never end and are in no average: no rank\n",
                                contents.header.policies[policy.policy].label, policy.unfinished,
                                policy.runs);
    for (auto const& policy : table.policies)
        if (!policy.has_value)
            text += fmt::format("  {}: has no value of this in any cell: no rank\n",
                                contents.header.policies[policy.policy].label);
    for (auto const& policy : table.policies)
        if (policy.few_cells > 0)
            text += fmt::format("  * {}: fewer than ten different ratios in {} of {}{}{}: {}\n",
                                contents.header.policies[policy.policy].label, policy.few_cells,
                                counted(table.compared, "cell"),
                                policy.few_cells > 1 ? ", first " : ", ",
                                place_of(*policy.few_cell), to_text(policy.few));
    if (table.not_run > 0)
        text += fmt::format("  {} not run yet\n", counted(table.not_run, "cell"));
    if (table.partly_run > 0)
        text += fmt::format("  {} of which some policies have not run all instances yet\n",
                            counted(table.partly_run, "cell"));
    if (table.without_value != nullptr) {
        auto const why =
            table.by.measure ? std::string() : missing.why(*table.without_value, table.by.baseline);
        text += fmt::format(
            "  {} without a value of some policy{}, first {}{}\n",
            counted(table.cells - table.compared - table.not_run - table.partly_run, "cell"),
            table.by.measure ? "" : " or the denominator", place_of(*table.without_value),
            why.empty() ? "" : ": " + why);
    }
    return text;
}

using OrderedJson = nlohmann::ordered_json;

OrderedJson with_interval(std::optional<Estimate> const& estimate)
{
    if (!estimate) return {};
    return {{"value", estimate->mean},
            {"low", number_or_null(shown_low(*estimate))},
            {"high", number_or_null(shown_high(*estimate))}};
}

OrderedJson json_of(StoreContents const& contents, RankTable const& table, double confidence)
{
    auto const label = [&](RankedPolicy const& p) {
        return contents.header.policies[p.policy].label;
    };
    OrderedJson out{{"sweep", table.sweep},
                    {"measure", table.ratio_of_means ? "ratio-of-means" : "mean-of-ratios"},
                    {"baseline", name_of(table.by.baseline).id},
                    {"denominator", name_of(table.by.baseline).denominator},
                    {"confidence", confidence},
                    {"cells", table.cells},
                    {"compared", table.compared},
                    {"not_run", table.not_run},
                    {"partly_run", table.partly_run},
                    {"policies", OrderedJson::array()},
                    {"differences", OrderedJson::array()}};
    if (table.by.measure) {
        out["measure"] = measure_name(*table.by.measure);
        if (!is_ratio(*table.by.measure)) out["baseline"] = out["denominator"] = nullptr;
        out["largest_first"] = table.largest_first;
        out["paired"] = is_paired(table);
    }
    auto const worst = std::string(table.largest_first ? "smallest" : "largest");
    for (auto const& policy : table.policies) {
        OrderedJson row{{"policy", label(policy)},
                        {"rank", OrderedJson()},
                        {"mean", with_interval(policy.mean)},
                        {"best_in", policy.best_in},
                        {worst, with_interval(policy.worst)},
                        {worst + "_cell", OrderedJson()},
                        {"runs", policy.runs},
                        {"unfinished", policy.unfinished},
                        {"few_cells", policy.few_cells}};
        if (knows_lengths(contents, policy.policy)) row["knows_lengths"] = true;
        if (policy.least_rank > 0) row["rank"] = {policy.least_rank, policy.most_rank};
        if (policy.worst_cell != nullptr) row[worst + "_cell"] = policy.worst_cell->index;
        out["policies"].push_back(row);
    }
    for (std::size_t i = 0; i < table.policies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (auto const& d = table.differences[i][j]) {
                OrderedJson row{{"policy", label(table.policies[i])},
                                {"minus", label(table.policies[j])}};
                row.update(with_interval(d));
                out["differences"].push_back(row);
            }
    return out;
}

} // namespace

std::string rank_range(std::int64_t least, std::int64_t most)
{
    if (least == 0) return "-";
    return least == most ? std::to_string(least) : fmt::format("{}-{}", least, most);
}

std::string rank_text(StoreContents const& contents, std::vector<RankTable> const& tables,
                      double confidence, std::string const& store, std::size_t most_lines)
{
    MissingBaselines missing(contents, store);
    std::string text;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        auto const next = text_of(contents, tables[i], confidence, missing);
        auto const lines = std::ranges::count(text + next, '\n');
        if (i > 0 && static_cast<std::size_t>(lines) > most_lines)
            return text +
                   fmt::format("{} more: crx rank {}\n",
                               counted(static_cast<std::int64_t>(tables.size() - i), "sweep"),
                               shell_word(store));
        text += next;
    }
    return text;
}

nlohmann::ordered_json rank_json(StoreContents const& contents,
                                 std::vector<RankTable> const& tables, double confidence)
{
    OrderedJson all = OrderedJson::array();
    for (auto const& table : tables) all.push_back(json_of(contents, table, confidence));
    return all;
}

} // namespace crx
