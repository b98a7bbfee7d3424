#include "host/experiment/paths.hh"

#include "host/experiment/iteration_setting.hh"
#include "kernels/cuda/device_paths.hh"

#include <nlohmann/json.hpp>

namespace crx {

PathFacts path_facts(std::string const& identity)
{
    auto const json = nlohmann::json::parse(identity);
    PathFacts facts;
    for (auto const& policy : json.at("policies"))
        facts.capacity.push_back(policy.at("memory").get<Tokens>());
    auto const& workload = json.at("workload");
    for (auto const& lengths : workload.at("types"))
        facts.types.push_back({lengths.at(0).get<Tokens>(), lengths.at(1).get<Tokens>()});
    facts.horizons = workload.at("horizons").get<std::vector<Nanoseconds>>();
    facts.by_type = json.value("by_type", false);
    return facts;
}

namespace {

constexpr char const* fcfs_engine = "fcfs-paths";
constexpr char const* counts_engine = "count-paths";
constexpr char const* prompts_engine = "prompt-paths";

/// Why the prompts of a segment must be told apart; empty where counts say all.
std::string why_told_apart(IterationPolicySpec const& policy, IterationSetting const& setting)
{
    if (setting.measures.any()) return "[measures] are of each prompt, so prompts are told apart";
    if (policy.hard) return "hard memory restarts the newest prompt, so prompts are told apart";
    if (policy.thresholds.mixes_prompts())
        return "a group has prompts of several lengths, so prompts are told apart";
    if (setting.by_type && policy.kind != IterationPolicyKind::wait)
        return "sums of each type are kept, and its segments mix types";
    return {};
}

} // namespace

PathEngine path_engine(IterationPolicySpec const& policy, IterationSetting const& setting)
{
    auto const other_policies = [](char const* of) {
        return std::string("it runs ") + of + " alone";
    };
    if (!has_thresholds(policy.kind))
        return {fcfs_engine,
                "sums of running prompts, and a calendar of completions",
                {{counts_engine, other_policies("wait and nested-wait")},
                 {prompts_engine, other_policies("wait and nested-wait")}}};
    auto const reason = why_told_apart(policy, setting);
    if (reason.empty())
        return {counts_engine,
                "a segment's prompts move as one group",
                {{prompts_engine, "it would take longer"},
                 {fcfs_engine, other_policies("the fcfs policies")}}};
    return {prompts_engine,
            "each segment keeps the order of its prompts",
            {{counts_engine, reason}, {fcfs_engine, other_policies("the fcfs policies")}}};
}

std::string why_not_on_gpu(IterationSetting const& setting)
{
    if (setting.measures.any()) return "[measures] keeps what happens to each prompt";
    return setting.by_type ? "run.by_type keeps sums of each type" : "";
}

namespace {

/// The path's measures, one a horizon, are kept beside what is stored of it.
struct Finished
{
    std::vector<PathRecord> records;
    std::vector<std::vector<MeasureGroup>> measures;
};

/// The first paths of `launched`, up to one that was given up or not begun.
Finished finished(std::vector<std::vector<IterationTally>> launched, std::int64_t first, bool)
{
    Finished out;
    for (auto& tallies : launched) {
        if (tallies.empty()) break;
        out.records.push_back({first++, std::move(tallies), {}});
        out.measures.emplace_back();
    }
    return out;
}
Finished finished(std::vector<TypedPath> launched, std::int64_t first, bool by_type)
{
    Finished out;
    for (auto& path : launched) {
        if (path.tallies.empty()) break;
        out.records.push_back({first++, std::move(path.tallies), {}});
        if (by_type) out.records.back().types = std::move(path.types);
        out.measures.push_back(std::move(path.measures));
    }
    return out;
}

/// The sums of the first `count` paths.
std::vector<MeasureSums> measures_of(Finished const& policy, std::int64_t count)
{
    std::vector<MeasureSums> sums;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
        auto const g = static_cast<std::size_t>(policy.records[k].path % measure_groups);
        sums.resize(policy.measures[k].size());
        for (std::size_t c = 0; c < sums.size(); ++c) sums[c].group[g].add(policy.measures[k][c]);
    }
    return sums;
}

/// Runs policy after policy; what is kept are the paths that all of them finished.
template <class Launch>
PathChunk of_all_policies(IterationSetting const& setting, InstanceRange range, Launch launch)
{
    PathChunk chunk;
    chunk.count = range.count;
    std::vector<Finished> policies;
    for (auto const& entry : setting.policies) {
        policies.push_back(
            finished(launch(setting.cell(entry), chunk.count), range.first, setting.by_type));
        chunk.count = static_cast<std::int64_t>(policies.back().records.size());
        if (chunk.count == 0) break;
    }
    for (auto& policy : policies) {
        if (setting.measures.any()) chunk.measures.push_back(measures_of(policy, chunk.count));
        chunk.sums.push_back(std::move(policy.records));
        chunk.sums.back().resize(static_cast<std::size_t>(chunk.count));
    }
    return chunk;
}

} // namespace

PathChunk launch_paths_host(IterationSetting const& setting, InstanceRange range,
                            StopCondition const& stop_condition)
{
    if (setting.by_type || setting.measures.any())
        return of_all_policies(setting, range, [&](IterationCell const& cell, std::int64_t count) {
            return launch_typed_paths(cell, range.first, count, stop_condition);
        });
    return of_all_policies(setting, range, [&](IterationCell const& cell, std::int64_t count) {
        return launch_paths(cell, range.first, count, stop_condition);
    });
}

PathChunk launch_paths_gpu(IterationSetting const& setting, InstanceRange range,
                           StopCondition const& stop_condition)
{
    CRX_EXPECT(why_not_on_gpu(setting).empty());
    return of_all_policies(setting, range, [&](IterationCell const& cell, std::int64_t count) {
        return launch_paths_device(cell, range.first, count, stop_condition);
    });
}

} // namespace crx
