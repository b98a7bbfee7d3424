#include "host/commands/commands.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/commands/command_line.hh"
#include "host/error.hh"
#include "host/experiment/measure_plan.hh"
#include "host/experiment/panel_list.hh"
#include "host/file_names.hh"
#include "host/input/accepted.hh"
#include "host/output_file.hh"
#include "host/results/measure.hh"
#include "host/results/path_ranks.hh"
#include "host/results/rank_text.hh"
#include "host/results/stored_panels.hh"
#include "host/results/what_is_missing.hh"

#include <climits>

namespace crx {

namespace {

struct RankOptions
{
    std::string store, over, by;
    std::optional<std::int64_t> cell;
    bool json = false;
};

/// Measures that some policy has a value of in some cell.
std::vector<std::string> measures_in(StoreContents const& contents, BaselineKind baseline,
                                     double confidence)
{
    std::vector<std::string> names;
    for (auto const& name : measures_of(contents.header.model, Panel{})) {
        auto const what = *measure_named(name);
        if (what == Measure::argmax) continue;
        bool const some = std::ranges::any_of(contents.cells, [&](CellResult const& cell) {
            for (std::size_t p = 0; p < contents.header.policies.size(); ++p)
                if (runs_of(cell, p) > 0 && measure(cell, p, what, baseline, confidence))
                    return true;
            return false;
        });
        if (some) names.push_back(name);
    }
    return names;
}

/// The names, those of one measure's statistics together: "latency-mean, -p50, -p90, ..".
std::string listed(std::vector<std::string> const& names)
{
    std::string text;
    std::optional<int> before;
    for (auto const& name : names) {
        auto const statistic = request_statistic_named(name);
        auto const of =
            statistic && statistic->measure >= 0 ? std::optional(statistic->measure) : std::nullopt;
        text +=
            (text.empty() ? "" : ", ") + (of && of == before ? name.substr(name.rfind('-')) : name);
        before = of;
    }
    return text;
}

/// What --by names; nothing where it is not given.
std::optional<Measure> asked_measure(RankOptions const& options, StoreContents const& contents,
                                     BaselineKind baseline, double confidence)
{
    if (options.by.empty()) return {};
    auto const names = measures_in(contents, baseline, confidence);
    if (std::ranges::find(names, options.by) != names.end()) return measure_named(options.by);
    auto const nearest = nearest_name(options.by, names);
    throw ConfigError("command line", "--by", options.by,
                      "a measure that this store keeps: " + listed(names) +
                          (request_statistic_named(options.by)
                               ? "; [measures] keep = [..] of the experiment keeps more"
                           : nearest.empty() ? ""
                                             : " (did you mean " + nearest + "?)"));
}

void write_tables(RankOptions const& options, StoreContents const& contents,
                  std::vector<RankTable> const& tables, double confidence)
{
    write_stdout(options.json ? rank_json(contents, tables, confidence).dump(1) + "\n"
                              : rank_text(contents, tables, confidence, options.store, SIZE_MAX));
}

void rank_paths(RankOptions const& options, StoreContents const& whole)
{
    if (!options.over.empty())
        throw ConfigError("command line", "--over", options.over,
                          "left out for a store of the iteration model, which divides by nothing");
    auto const contents = with_horizons(whole);
    auto const confidence = read_stored_panels(contents, options.store).confidence;
    auto const by = asked_measure(options, contents, BaselineKind::h_sf, confidence);
    if (by) {
        auto const tables =
            rank_tables(contents, {by, BaselineKind::h_sf}, confidence, options.cell);
        if (tables.empty()) throw InputError(options.store + ": no cells of that number");
        return write_tables(options, contents, tables, confidence);
    }
    auto const tables = path_rank_tables(contents, confidence, options.cell);
    if (tables.empty())
        throw InputError(options.store + ": no finished cells" +
                         (options.cell ? " of that number" : " yet\n  run crx sweep first"));
    write_stdout(options.json ? path_rank_json(contents, tables).dump(1) + "\n"
                              : path_rank_text(contents, tables, confidence));
}

void rank_policies(RankOptions const& options)
{
    warn_of_names(options.store);
    auto const contents =
        read_store(options.store, options.by.empty() ? ReadMeasures::no : ReadMeasures::yes);
    warn_of_missing(contents, options.store);
    if (contents.header.model == Model::iterations) return rank_paths(options, contents);
    auto const& known = contents.header.baselines;
    auto const over = options.over.empty() ? known.front() : options.over;
    auto const baseline = baseline_named(over);
    if (!baseline || std::ranges::find(known, over) == known.end())
        throw ConfigError("command line", "--over", over,
                          "a baseline of this store: " + listed_with_nearest(over, known));
    if (std::ranges::none_of(contents.cells, [](auto const& c) { return c.instances > 0; }))
        throw InputError(options.store + ": no finished cells yet\n  run crx sweep first");
    auto const confidence = stored_confidence(contents.header, options.store);
    auto const by = asked_measure(options, contents, *baseline, confidence);
    if (by && !is_ratio(*by) && !options.over.empty())
        throw ConfigError("command line", "--over", options.over,
                          "left out with --by " + options.by + ", which is divided by nothing");
    auto const tables = rank_tables(contents, {by, *baseline}, confidence, options.cell);
    if (tables.empty())
        throw ConfigError("command line", "--cell", std::to_string(*options.cell),
                          "from 0 to " + std::to_string(contents.cells.size() - 1));
    write_tables(options, contents, tables, confidence);
}

} // namespace

void add_rank_command(CLI::App& app)
{
    Command const command(
        app, "rank",
        "Order a store's policies by their ratio or a measure, sweep by sweep, with intervals");
    command->footer("A rank 2-3 means: the instances do not say which of the places. Policies of a "
                    "cell meet the\nsame instances, and differences are paired (docs/store.md, "
                    "Ranks).\nExample: crx rank chen_two_point_alpha.db --over volume\n"
                    "         crx rank trace_load.db --by latency-p99");
    auto const options = std::make_shared<RankOptions>();
    command->add_option("store", options->store, "Store that crx sweep made")
        ->required()
        ->type_name("DB");
    command
        ->add_option("--over", options->over,
                     "Denominator, one of the experiment's baselines; else its first")
        ->type_name("ID");
    command
        ->add_option("--by", options->by,
                     "A measure by its name in panels, as latency-p99 or throughput-tokens; else "
                     "the ratio, in the iteration model the mean latency")
        ->type_name("MEASURE");
    command->add_option("--cell", options->cell, "Only this cell (column cell of crx export)")
        ->check(whole_number<std::int64_t>(0, INT64_MAX));
    command->add_flag("--json", options->json, "One JSON list, a table an object");
    command->callback([options] { rank_policies(*options); });
}

} // namespace crx
