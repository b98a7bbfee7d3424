#include "host/simulate/fluid_report.hh"

#include "analysis/fluid/critical_load.hh"
#include "analysis/fluid/type_blind.hh"
#include "host/error.hh"

#include <cmath>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

struct Case
{
    char const* key;
    char const* words;
    fluid::Restarts restarts;
};
constexpr Case cases[] = {
    {"no_restarts", "without restarts", {false, 0}},
    {"restarts", "with restarts", {true, 0}},
    {"one_remembered", "and one of the restarted remembered", {true, 1}},
};

fluid::TypeBlindCapacity capacity(IterationSetting const& setting, Tokens memory,
                                  fluid::Restarts const& restarts)
try {
    return fluid::type_blind_capacity(setting.load, memory, restarts);
} catch (std::domain_error const& error) {
    throw ConfigError("command line", "--type-blind", std::to_string(memory), error.what());
}

} // namespace

nlohmann::ordered_json type_blind_json(IterationSetting const& setting, Tokens memory)
{
    nlohmann::ordered_json out = {{"memory", memory}};
    for (auto const& each : cases) {
        auto const c = capacity(setting, memory, each.restarts);
        out[each.key] = {{"throughput", c.throughput}, {"error", c.error}, {"states", c.states}};
    }
    return out;
}

std::string type_blind_text(IterationSetting const& setting, Tokens memory)
{
    auto out =
        fmt::format("types unknown, {} tokens of hard memory: decode tokens/s at most\n", memory);
    for (auto const& each : cases)
        out += fmt::format("  {:<35} {:.8f}\n", each.words,
                           capacity(setting, memory, each.restarts).throughput);
    return out;
}

namespace {

using OrderedJson = nlohmann::ordered_json;

/// theta of (16) for each segment but the first, of a group whose thresholds begin at `n`.
OrderedJson thetas(fluid::NestedLoad const& group, std::int64_t const* n)
{
    OrderedJson out = OrderedJson::array();
    for (std::size_t i = 0; i + 1 < group.ends.size(); ++i) {
        auto const p = group.passing[i];
        auto const bounded = static_cast<double>(n[i + 1]) > static_cast<double>(n[i]) * p;
        auto const theta = bounded ? fluid::decay_rate(n[i], n[i + 1], p) : std::nan("");
        out.push_back(std::isinf(theta) ? OrderedJson("infinite")
                      : bounded         ? OrderedJson(theta)
                                        : OrderedJson(nullptr));
    }
    return out;
}

OrderedJson policy_theory(IterationSetting const& setting, IterationPolicyEntry const& entry)
{
    OrderedJson out = {{"policy", entry.label}, {"id", entry.id}};
    if (has_thresholds(entry.spec.kind)) {
        auto const batch = setting.time.of(entry.batch_tokens);
        out["thresholds"] = entry.thresholds;
        out["batch_tokens"] = entry.batch_tokens;
        out["batch_seconds"] = static_cast<double>(batch) * 1e-9;
        out["broken_condition"] =
            entry.broken.empty() ? OrderedJson(nullptr) : OrderedJson(entry.broken);
    } else {
        out["memory"] = entry.spec.memory;
        out["limit"] = entry.spec.limit;
    }
    if (entry.spec.hard) out["hard_memory"] = entry.spec.memory;
    if (!entry.groups.empty()) {
        out["utilisation_of_segments"] = fluid::groups_utilisation(entry.groups);
        if (entry.groups.size() == 1) {
            out["passing"] = entry.groups.front().passing;
            out["theta"] = thetas(entry.groups.front(), entry.thresholds.data());
        } else {
            auto const* n = entry.thresholds.data();
            for (auto const& group : entry.groups) {
                out["groups"].push_back({{"prompt", group.prompt},
                                         {"ends", group.ends},
                                         {"thresholds", OrderedJson(std::vector<std::int64_t>(
                                                            n, n + group.ends.size()))},
                                         {"passing", group.passing},
                                         {"theta", thetas(group, n)}});
                n += group.ends.size();
            }
        }
    }
    if (entry.memory_bound)
        out["memory_bound"] = {{"delta", *entry.delta},
                               {"batch", entry.memory_bound->batch},
                               {"queues", entry.memory_bound->queues},
                               {"deviations", entry.memory_bound->deviations},
                               {"total", entry.memory_bound->total()},
                               {"iterations", entry.memory_bound->iterations}};
    return out;
}

OrderedJson theory(IterationSetting const& setting, std::string const& title)
{
    OrderedJson out = {{"title", title}, {"utilisation", fluid::utilisation(setting.load)}};
    if (fluid::utilisation(setting.load) < 1) {
        auto const e = fluid::equilibrium(setting.load);
        out["iteration_seconds"] = e.iteration;
        out["memory"] = e.memory;
        out["throughput"] = e.throughput;
        out["throughput_as_in_8"] = e.throughput_as_in_8;
        auto const critical = fluid::critical_load(setting.load);
        out["at_fluid_memory"] = {{"latency_per_root_second", critical.latency(1)},
                                  {"gap_times_root_second", critical.gap(1)}};
    }
    if (setting.by_type)
        for (std::size_t j = 0; j < setting.load.types.size(); ++j)
            out["types"].push_back({{"prompt", setting.load.types[j].prompt},
                                    {"output", setting.load.types[j].output},
                                    {"rate", setting.load.rate[j]}});
    out["policies"] = OrderedJson::array();
    for (auto const& entry : setting.policies)
        out["policies"].push_back(policy_theory(setting, entry));
    return out;
}

} // namespace

std::string fluid_json(IterationSetting const& setting, std::string const& title, Tokens type_blind)
{
    auto out = theory(setting, title);
    if (type_blind > 0) out["type_blind"] = type_blind_json(setting, type_blind);
    return out.dump(2) + "\n";
}

std::string fluid_text(IterationSetting const& setting, Tokens type_blind)
{
    auto const d = fluid::utilisation(setting.load);
    auto out = fmt::format("utilisation D        {:.8g}{}\n", d, d < 1 ? "" : " (unstable)");
    if (d < 1) {
        auto const e = fluid::equilibrium(setting.load);
        out += fmt::format("iteration            {:.8g} s\n", e.iteration);
        out += fmt::format("memory M*            {:.8g} tokens\n", e.memory);
        out +=
            fmt::format("throughput           {:.8g} decode tokens/s ({:.8g} as AO (8) counts)\n",
                        e.throughput, e.throughput_as_in_8);
        auto const critical = fluid::critical_load(setting.load);
        out += fmt::format("at C = M*, any policy latency at least {:.6g} sqrt(t) s, gap at least "
                           "{:.6g} / sqrt(t) tokens/s, as means for long t\n",
                           critical.latency(1), critical.gap(1));
    }
    if (type_blind > 0) out += type_blind_text(setting, type_blind);
    for (auto const& entry : setting.policies) {
        out += fmt::format("{}\n", entry.label);
        if (has_thresholds(entry.spec.kind))
            out +=
                fmt::format("  thresholds         {}\n  full batch         {} tokens, {:.8g} s\n",
                            fmt::join(entry.thresholds, " "), entry.batch_tokens,
                            static_cast<double>(setting.time.of(entry.batch_tokens)) * 1e-9);
        else
            out += fmt::format("  memory             {} tokens\n", entry.spec.memory);
        if (!entry.broken.empty()) out += "  not satisfied      " + entry.broken + "\n";
        if (!entry.groups.empty())
            out += fmt::format(
                "  D of the segments  {:.8g}{}\n", fluid::groups_utilisation(entry.groups),
                entry.groups.size() > 1 ? fmt::format(" ({} groups)", entry.groups.size())
                                        : std::string());
        if (entry.spec.hard)
            out += fmt::format("  hard memory        {} tokens\n", entry.spec.memory);
        if (auto const& b = entry.memory_bound)
            out += fmt::format("  memory bound       {:.8g} at delta = {}: batch {:.8g}, queues "
                               "{:.8g}, deviations {:.8g}\n",
                               b->total(), *entry.delta, b->batch, b->queues, b->deviations);
    }
    return out;
}

} // namespace crx
