#include "host/commands/info_engines.hh"

#include "host/experiment/paths.hh"
#include "host/sweep/backend.hh"
#include "kernels/base/counted.hh"
#include "kernels/engines/cell.hh"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// As JSON and as text have it.
char const* name_of(Processor processor) { return processor == Processor::cpu ? "CPU" : "GPU"; }
char const* text_of(Processor processor) { return processor == Processor::cpu ? "CPU" : "GPU"; }
char const* name_of(RandomLaw law) { return law == RandomLaw::request ? "request" : "cohort"; }

/// "all cells", or how many of them and the first.
std::string where_text(std::vector<std::string> const& of, std::size_t cells)
{
    if (of.size() == cells) return "all cells";
    return counted(static_cast<std::int64_t>(of.size()), "cell") + ", the first " + of.front();
}

/// Who runs a policy on one kind of processor.
struct Answer
{
    std::vector<Engine const*> chain;
    std::vector<std::pair<std::string, std::string>> others; ///< engine, why it does not

    bool operator==(Answer const&) const = default;
};

Answer answer_for(Processor processor, PolicyEngines const& run)
{
    Answer answer{run.chain, {}};
    for (auto const* const engine : engines()) {
        if (engine->processor != processor || engine->law != run.law ||
            std::ranges::find(run.chain, engine) != run.chain.end())
            continue;
        auto reason = engine->refusal(run.spec, run.where);
        if (reason.empty()) reason = "it would take longer";
        answer.others.emplace_back(engine->name, reason);
    }
    return answer;
}

/// Why the policy follows this law and not the other.
std::string reason_of_law(PolicyEngines const& run)
{
    if (run.law == RandomLaw::cohort) return {};
    auto const reason = portable_engine(Processor::cpu, RandomLaw::cohort, run.spec, run.where)
                            .refusal(run.spec, run.where);
    if (!reason.empty()) return reason;
    return prefers_cohorts(run.spec, run.where) ? "the experiment asks for it request by request"
                                                : "counting would take longer";
}

/// One answer and the cells that have it.
struct Group
{
    std::string policy;
    RandomLaw law;
    std::string law_reason;
    Answer cpu, gpu;
    std::string cell_refusal; ///< why the cell stays on the CPU with all its policies; empty: no
    std::vector<std::string> cells;

    bool same(Group const& other) const
    {
        return policy == other.policy && law == other.law && law_reason == other.law_reason &&
               cpu == other.cpu && gpu == other.gpu && cell_refusal == other.cell_refusal;
    }
};

std::vector<Group> groups_of(Experiment const& experiment, Plan const& plan, std::size_t& cells)
{
    std::vector<Group> groups;
    auto const add = [&](Group group, std::string const& cell) {
        auto found = std::ranges::find_if(groups, [&](auto const& g) { return g.same(group); });
        if (found == groups.end()) found = groups.insert(groups.end(), std::move(group));
        found->cells.push_back(cell);
    };
    cells = 0;
    for (auto const& sweep : plan.sweeps)
        for (auto const& point : plan.grid(sweep.name)) {
            auto const cell = plan.make_cell(sweep.name, point).cell;
            CellEngines const on_cpu(cell, Processor::cpu), on_gpu(cell, Processor::gpu);
            auto const refusal = gpu_refusal(cell);
            for (std::size_t k = 0; k < on_cpu.runs.size(); ++k) {
                auto const& run = on_cpu.runs[k];
                auto const label = k < experiment.policies.size() ? experiment.policies[k].label
                                                                  : "mc-sf as a denominator";
                add({label,
                     run.law,
                     reason_of_law(run),
                     answer_for(Processor::cpu, run),
                     answer_for(Processor::gpu, on_gpu.runs[k]),
                     refusal,
                     {}},
                    point_text(sweep.name, point));
            }
            ++cells;
        }
    // Answers about a policy stand together.
    std::vector<Group> sorted;
    for (auto const& group : groups)
        if (std::ranges::find(sorted, group.policy, &Group::policy) == sorted.end())
            std::ranges::copy_if(groups, std::back_inserter(sorted),
                                 [&](auto const& g) { return g.policy == group.policy; });
    return sorted;
}

void print(Processor processor, Answer const& answer)
{
    std::string text;
    for (std::size_t k = 0; k < answer.chain.size(); ++k) {
        auto const& engine = *answer.chain[k];
        auto const many = engine.instances > 1
                              ? fmt::format(" (up to {} instances at a time)", engine.instances)
                              : std::string();
        auto const* const join = processor == Processor::gpu ? " or " : "; what it leaves: ";
        text += (k == 0 ? "" : join) + std::string(engine.name) + many;
    }
    if (processor == Processor::gpu && answer.chain.size() > 1) text += ", as is measured there";
    fmt::print("  {}:  {}\n", text_of(processor), text.empty() ? "none" : text);
    for (auto const& [name, reason] : answer.others)
        fmt::print("          not {}: {}\n", name, reason);
}

OrderedJson json_of(Answer const& answer)
{
    OrderedJson engines = OrderedJson::array(), refusals = OrderedJson::object();
    for (auto const* const engine : answer.chain) engines.push_back(engine->name);
    for (auto const& [name, reason] : answer.others) refusals[name] = reason;
    return {{"engines", engines}, {"others", refusals}};
}

/// The same of one policy in the cells of the iteration model that have this answer.
struct PathGroup
{
    std::string policy, gpu; ///< gpu: why it does not run there
    PathEngine engine;
    std::vector<std::string> cells;

    bool same(PathGroup const& other) const
    {
        return policy == other.policy && gpu == other.gpu && engine.name == other.engine.name &&
               engine.others == other.engine.others;
    }
};

std::vector<PathGroup> path_groups(Experiment const& experiment, Plan const& plan,
                                   std::size_t& cells)
{
    std::vector<PathGroup> groups;
    cells = 0;
    for (std::size_t k = 0; k < experiment.policies.size(); ++k)
        for (auto const& sweep : plan.sweeps)
            for (auto const& point : plan.grid(sweep.name)) {
                auto const setting = plan.make_cell(sweep.name, point).paths;
                PathGroup group{experiment.policies[k].label,
                                why_not_on_gpu(*setting),
                                path_engine(setting->policies[k].spec, *setting),
                                {}};
                auto found =
                    std::ranges::find_if(groups, [&](auto const& g) { return g.same(group); });
                if (found == groups.end()) found = groups.insert(found, std::move(group));
                found->cells.push_back(point_text(sweep.name, point));
                cells += k == 0;
            }
    return groups;
}

void report_path_engines(Experiment const& experiment, bool json)
{
    std::size_t cells = 0;
    auto const plan = plan_of(experiment);
    auto const groups = path_groups(experiment, plan, cells);
    OrderedJson all = OrderedJson::array();
    if (!json)
        fmt::print("{}: {} of the iteration model\n--backend auto: {}\n", experiment.name,
                   counted(cells, "cell"),
                   choose_backend("auto", only_on_cpu(experiment, plan), experiment.model).text);
    for (auto const& [policy, gpu, engine, of] : groups) {
        OrderedJson others = OrderedJson::object();
        for (auto const& [name, reason] : engine.others) others[name] = reason;
        if (json) {
            OrderedJson const on_cpu{{"engines", OrderedJson::array({engine.name})},
                                     {"others", others}};
            OrderedJson on_gpu = on_cpu;
            if (!gpu.empty())
                on_gpu = {{"engines", OrderedJson::array()}, {"others", {{engine.name, gpu}}}};
            all.push_back({{"policy", policy},
                           {"law", "paths"},
                           {"law_reason", engine.summary},
                           {"cells", of},
                           {"cpu", on_cpu},
                           {"gpu", on_gpu}});
            continue;
        }
        fmt::print("\n{}, {}: path by path; {}\n", policy, where_text(of, cells), engine.summary);
        fmt::print("  CPU:  {}, a path at a time on each thread\n", engine.name);
        for (auto const& [name, reason] : engine.others)
            fmt::print("          not {}: {}\n", name, reason);
        fmt::print("  GPU:  {}\n",
                   gpu.empty() ? engine.name + ", a thread a path" : "none: " + gpu);
    }
    if (json) fmt::print("{}\n", all.dump(1));
}

} // namespace

void report_engines(bool json)
{
    OrderedJson all = OrderedJson::array();
    if (!json)
        fmt::print("{:<5} {:<19} {:<8} {:>9}  {}\n", "runs", "engine", "law", "at a time",
                   "what it takes");
    for (auto const* const engine : engines()) {
        if (json)
            all.push_back({{"engine", engine->name},
                           {"processor", name_of(engine->processor)},
                           {"law", name_of(engine->law)},
                           {"instances_at_a_time", engine->instances},
                           {"portable", engine->portable},
                           {"summary", engine->summary}});
        else
            fmt::print("{:<5} {:<19} {:<8} {:>9}  {}\n", text_of(engine->processor), engine->name,
                       name_of(engine->law), engine->instances, engine->summary);
    }
    if (json) fmt::print("{}\n", all.dump(1));
}

void report_engines(Experiment const& experiment, bool json)
{
    if (experiment.model == Model::iterations) return report_path_engines(experiment, json);
    std::size_t cells = 0;
    auto const plan = plan_of(experiment);
    auto const groups = groups_of(experiment, plan, cells);
    OrderedJson all = OrderedJson::array();
    if (!json)
        fmt::print("{}: {}\n--backend auto: {}\n", experiment.name, counted(cells, "cell"),
                   choose_backend("auto", only_on_cpu(experiment, plan)).text);
    for (auto const& group : groups) {
        if (json) {
            all.push_back({{"policy", group.policy},
                           {"law", name_of(group.law)},
                           {"law_reason", group.law_reason},
                           {"cells", group.cells},
                           {"cpu", json_of(group.cpu)},
                           {"gpu", json_of(group.gpu)},
                           {"cell_not_on_gpu", group.cell_refusal}});
            continue;
        }
        fmt::print("\n{}, {}: {}\n", group.policy, where_text(group.cells, cells),
                   group.law == RandomLaw::cohort ? "by cohorts"
                                                  : "request by request; " + group.law_reason);
        print(Processor::cpu, group.cpu);
        print(Processor::gpu, group.gpu);
        if (!group.cell_refusal.empty() && !group.gpu.chain.empty())
            fmt::print("          not with its cell: {}\n", group.cell_refusal);
    }
    if (json) fmt::print("{}\n", all.dump(1));
}

} // namespace crx
