#include "host/experiment/baseline_plan.hh"

#include "analysis/statistics/baseline_name.hh"

#include <algorithm>

namespace crx {

namespace {

/// Those that apply to the workload, where the file does not say: all at 0 under the unit clock
/// h-sf and volume, else release under the unit clock and mc-sf.
std::vector<std::string> usual_baselines(ConfigReader& top)
{
    auto const* workload = top.find("workload");
    auto const has = [&](char const* key) {
        return workload != nullptr && workload->find(key) != nullptr;
    };
    if (has("clock")) return {"mc-sf"};
    if (has("arrivals") || has("instances")) return {"mc-sf", "release"};
    return {"h-sf", "volume"};
}

/// A count of effort; refused where nothing that is used depends on it.
std::int64_t read_count(ConfigReader& reader, std::string const& key, std::int64_t most,
                        std::int64_t usual, bool used, std::string const& users)
{
    auto const* value = reader.find(key);
    if (value != nullptr && !used)
        reader.reject(key, *value, "left out unless use has one of " + users);
    return reader.integer(key, 1, most, usual);
}

} // namespace

bool BaselinePlan::has(BaselineKind kind) const
{
    return std::ranges::find(ids, name_of(kind).id) != ids.end();
}

std::vector<BaselineKind> BaselinePlan::of_host() const
{
    std::vector<BaselineKind> kinds;
    for (auto const& name : baseline_names)
        if (static_cast<int>(name.kind) >= engine_baselines && has(name.kind))
            kinds.push_back(name.kind);
    return kinds;
}

BaselinePlan read_baselines(ConfigReader& top)
{
    using baseline::HindsightBaselines;
    using baseline::HindsightEffort;
    std::vector<std::string> all;
    for (auto const& name : baseline_names) all.emplace_back(name.id);
    BaselinePlan plan;
    plan.ids = usual_baselines(top);
    auto const* table = top.find("baselines");
    plan.where = table != nullptr ? table->where : top.table().where;
    if (table == nullptr) return plan;
    ConfigReader reader(*table, "baselines");
    auto const* use = table->find("use");
    plan.in_file = use != nullptr;
    if (use != nullptr)
        for (auto const& id : use->list)
            if (id.text == "lp" || id.text == "clique-lp")
                reader.reject("use", id,
                              "peaks, or opt-lower, which bounds more: no bound is made by a "
                              "linear program");
    plan.ids = reader.choices("use", all, plan.ids);
    auto const kinds = plan.of_host();
    plan.effort.evaluations = read_count(reader, "evaluations", HindsightEffort::most_evaluations,
                                         plan.effort.evaluations,
                                         std::ranges::any_of(kinds, HindsightBaselines::searches),
                                         "best-found, peaks, opt-lower, opt-upper, opt");
    plan.effort.steps = read_count(reader, "steps", HindsightEffort::most_steps, plan.effort.steps,
                                   std::ranges::any_of(kinds, HindsightBaselines::climbs),
                                   "peaks, opt-lower, opt-upper, opt");
    plan.effort.nodes = read_count(reader, "nodes", HindsightEffort::most_nodes, plan.effort.nodes,
                                   std::ranges::any_of(kinds, HindsightBaselines::branches),
                                   "opt-lower, opt-upper, opt");
    reader.finish();
    return plan;
}

} // namespace crx
