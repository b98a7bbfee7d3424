#include "host/commands/report_parts.hh"

#include "analysis/fluid/heavy_traffic.hh"
#include "analysis/statistics/baseline_name.hh"
#include "host/commands/reference.hh"
#include "host/commands/touched_claims.hh"
#include "host/error.hh"
#include "host/json_number.hh"
#include "host/results/cells.hh"
#include "host/results/panel_document.hh"
#include "host/results/path_ranks.hh"
#include "host/results/rank_text.hh"
#include "host/simulate/fluid_report.hh"

namespace crx {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson ranks_json(StoreContents const& contents, double confidence)
{
    auto all = OrderedJson::array();
    for (auto const& id : contents.header.baselines)
        if (auto const baseline = baseline_named(id))
            all.push_back(
                {{"baseline", id},
                 {"tables",
                  rank_json(contents, rank_tables(contents, *baseline, confidence), confidence)}});
    return all;
}

/// The run of a policy with the largest ratio over the first baseline, or mean latency.
struct WorstRun
{
    CellResult const* cell;
    std::size_t policy;
    std::int64_t instance;
    double value;
};

/// The run's value in a cell; none where no run of the policy has one.
std::optional<WorstRun> worst_in(CellResult const& cell, std::size_t policy, BaselineKind baseline)
{
    auto const instance = worst_instance(cell, policy, baseline);
    if (!instance) return std::nullopt;
    if (cell.paths == nullptr) {
        auto const& largest = cell.tally[policy].sums.ratio[static_cast<int>(baseline)].largest;
        return WorstRun{&cell, policy, *instance, to_double(largest.ratio)};
    }
    auto const& path = cell.paths->at(policy)[static_cast<std::size_t>(*instance)];
    return WorstRun{&cell, policy, *instance, fluid::latency(path.tallies[cell.horizon])};
}

/// Cells of the iteration model are told at their last horizon, all types together.
bool is_told(CellResult const& cell)
{
    return cell.instances > 0 &&
           (cell.facts == nullptr ||
            (cell.type < 0 && cell.horizon + 1 == cell.facts->horizons.size()));
}

/// One a policy, the worst first.
std::vector<WorstRun> worst_runs(StoreContents const& contents)
{
    auto const& header = contents.header;
    std::vector<WorstRun> all;
    std::optional<BaselineKind> baseline = BaselineKind::h_sf;
    if (header.model == Model::rounds) {
        if (header.baselines.empty()) return all;
        baseline = baseline_named(header.baselines.front());
        if (!baseline) return all;
    }
    for (std::size_t k = 0; k < header.policies.size(); ++k) {
        std::optional<WorstRun> worst;
        for (auto const& cell : contents.cells)
            if (is_told(cell))
                if (auto const here = worst_in(cell, k, *baseline);
                    here && (!worst || here->value > worst->value))
                    worst = here;
        if (worst) all.push_back(*worst);
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &WorstRun::value);
    return all;
}

OrderedJson worst_json(StoreContents const& contents)
{
    auto all = OrderedJson::array();
    for (auto const& run : worst_runs(contents)) {
        OrderedJson row{{"policy", contents.header.policies[run.policy].label},
                        {"value", run.value},
                        {"cell", run.cell->index},
                        {"coordinates", coordinates_json(*run.cell)},
                        {"instance", run.instance},
                        {"requests", number_or_null(value_of(*run.cell, "requests"))}};
        all.push_back(std::move(row));
    }
    return all;
}

OrderedJson claims_of(StoreContents const& contents, StoredPanels const& experiment)
{
    auto all = OrderedJson::array();
    for (auto const& [claim, why] : touched_claims(contents, experiment)) {
        auto hypotheses = OrderedJson::array();
        for (auto const& h : claim->hypotheses) hypotheses.push_back(h);
        all.push_back({{"id", claim->id},
                       {"paper", claim->paper},
                       {"place", claim->place},
                       {"statement", claim->statement},
                       {"hypotheses", hypotheses},
                       {"verdict", claims::name_of(claim->verdict)},
                       {"evidence", claim->evidence},
                       {"why", why},
                       {"command", claim->command}});
    }
    return all;
}

/// What the theory says of the first cell of the iteration model.
OrderedJson theory_json(StoreContents const& contents, std::string const& name)
{
    auto const& header = contents.header;
    auto const& cell = contents.cells.front();
    auto coordinates = cell.coordinates;
    std::erase_if(coordinates,
                  [](auto const& c) { return c.first == "horizon" || c.first == "type"; });
    auto out = OrderedJson::object();
    for (auto const& [axis, value] : coordinates) out["coordinates"][axis] = value;
    try {
        auto const experiment =
            Experiment::parse(header.text, name + ":experiment", header.folder, header.overrides);
        out["text"] = fluid_text(*experiment.make_cell(cell.sweep, coordinates).paths);
    } catch (InputError const& error) {
        out["error"] = std::string("the experiment cannot be read again: ") + error.what();
    }
    return out;
}

} // namespace

void add_report_parts(OrderedJson& document, StoreContents const& contents,
                      StoredPanels const& experiment, std::string const& name)
{
    if (contents.header.model == Model::rounds)
        document["ranks"] = ranks_json(contents, experiment.confidence);
    else
        document["horizons"] =
            path_rank_json(contents, path_rank_tables(contents, experiment.confidence));
    document["terms"] = OrderedJson::array();
    for (auto const& section : reference_sections())
        if (section.kind == "term")
            for (auto const& [term, meaning] : section.entries)
                document["terms"].push_back({{"term", term}, {"meaning", meaning}});
    document["worst"] = worst_json(contents);
    document["claims"] = claims_of(contents, experiment);
    if (contents.header.model == Model::iterations && !contents.cells.empty())
        document["theory"] = theory_json(contents, name);
}

} // namespace crx
