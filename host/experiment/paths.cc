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
std::string why_told_apart(IterationPolicySpec const& policy, bool by_type)
{
    if (policy.hard) return "hard memory restarts the newest prompt, so prompts are told apart";
    if (policy.thresholds.mixes_prompts())
        return "a group has prompts of several lengths, so prompts are told apart";
    if (by_type && policy.kind != IterationPolicyKind::wait)
        return "sums of each type are kept, and its segments mix types";
    return {};
}

} // namespace

PathEngine path_engine(IterationPolicySpec const& policy, bool by_type)
{
    auto const other_policies = [](char const* of) {
        return std::string("it runs ") + of + " alone";
    };
    if (!has_thresholds(policy.kind))
        return {fcfs_engine,
                "sums of running prompts, and a calendar of completions",
                {{counts_engine, other_policies("wait and nested-wait")},
                 {prompts_engine, other_policies("wait and nested-wait")}}};
    auto const reason = why_told_apart(policy, by_type);
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
    return setting.by_type ? "run.by_type keeps sums of each type" : "";
}

namespace {

/// The first paths of `launched`, up to one that was given up or not begun.
std::vector<PathRecord> finished(std::vector<std::vector<IterationTally>> launched,
                                 std::int64_t first)
{
    std::vector<PathRecord> records;
    for (auto& tallies : launched) {
        if (tallies.empty()) break;
        records.push_back({first++, std::move(tallies), {}});
    }
    return records;
}
std::vector<PathRecord> finished(std::vector<TypedPath> launched, std::int64_t first)
{
    std::vector<PathRecord> records;
    for (auto& path : launched) {
        if (path.tallies.empty()) break;
        records.push_back({first++, std::move(path.tallies), std::move(path.types)});
    }
    return records;
}

/// Runs policy after policy; what is kept are the paths that all of them finished.
template <class Launch>
PathChunk of_all_policies(IterationSetting const& setting, InstanceRange range, Launch launch)
{
    PathChunk chunk;
    chunk.count = range.count;
    for (auto const& entry : setting.policies) {
        chunk.sums.push_back(finished(launch(setting.cell(entry), chunk.count), range.first));
        chunk.count = static_cast<std::int64_t>(chunk.sums.back().size());
        if (chunk.count == 0) break;
    }
    for (auto& paths : chunk.sums) paths.resize(static_cast<std::size_t>(chunk.count));
    return chunk;
}

} // namespace

PathChunk launch_paths_host(IterationSetting const& setting, InstanceRange range,
                            StopCondition const& stop_condition)
{
    if (setting.by_type)
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
    CRX_EXPECT(!setting.by_type);
    return of_all_policies(setting, range, [&](IterationCell const& cell, std::int64_t count) {
        return launch_paths_device(cell, range.first, count, stop_condition);
    });
}

} // namespace crx
