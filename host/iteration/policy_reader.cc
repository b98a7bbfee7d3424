#include "analysis/fluid/equilibrium.hh"
#include "host/error.hh"
#include "host/iteration/iteration_readers.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace crx {
namespace {

void read_wait(ConfigReader& reader, IterationExperiment const& experiment,
               IterationPolicyEntry& entry)
{
    auto load = experiment.load;
    for (std::size_t j = 0; j < load.rate.size(); ++j)
        for (auto const& slice : experiment.rate) load.rate[j] = std::max(load.rate[j], slice[j]);
    auto const& value = reader.need("thresholds", "\"least\", \"inside\" or a list");
    if (value.kind == ConfigValue::Kind::text) {
        auto const inside = reader.choice("thresholds", {"least", "inside"}) == "inside";
        auto const n = thresholds_of(reader, [&] {
            return fluid::least_wait_thresholds(load, inside ? fluid::Margin::inside
                                                             : fluid::Margin::at_least);
        });
        if (!n) fail_without_thresholds(reader, fluid::utilisation(load));
        entry.thresholds = *n;
    } else {
        entry.thresholds = read_integers(reader, "thresholds", 1'000'000'000);
        if (entry.thresholds.size() != load.types.size())
            reader.reject("thresholds", value, fmt::format("a list of {}", load.types.size()));
        long double tokens = 0;
        for (std::size_t j = 0; j < load.types.size(); ++j)
            tokens += static_cast<long double>(entry.thresholds[j]) *
                      static_cast<long double>(fluid::tokens_of_all_stages(load.types[j]));
        if (!(tokens < 0x1p62L))
            reader.reject("thresholds", value, "smaller: a full batch has more than 2^62 tokens");
    }
    entry.spec.thresholds = wait_table(load.types, entry.thresholds);
    entry.batch_tokens = fluid::wait_batch_tokens(load.types, entry.thresholds);
    entry.broken = fluid::broken_wait_condition(load, entry.thresholds);
}

void read_memory(ConfigReader& reader, IterationExperiment const& experiment,
                 IterationPolicyEntry& entry)
{
    auto const thresholds = has_thresholds(entry.spec.kind);
    if (entry.delta) return; // (12) says it
    if (thresholds && reader.find("memory") == nullptr) return;
    Tokens least = thresholds ? 1 : 0;
    if (!thresholds)
        for (auto const& type : experiment.load.types)
            least = std::max(least, type.prompt + type.output);
    auto const& value = reader.need("memory", "\"fluid\" (M*) or tokens");
    if (value.kind == ConfigValue::Kind::text) {
        reader.choice("memory", {"fluid"});
        if (!(fluid::utilisation(experiment.load) < 1))
            reader.reject("memory", value, "tokens, as an unstable load has no M*");
        entry.spec.memory = static_cast<Tokens>(
            std::floor(fluid::equilibrium(experiment.load).memory * (1 + 1e-12)));
        if (entry.spec.memory < least)
            reader.reject("memory", value,
                          fmt::format("at least {}, the longest prompt and output; M* is {}", least,
                                      entry.spec.memory));
    } else {
        entry.spec.memory = reader.integer("memory", least, 1'000'000'000'000);
    }
}

/// Hard memory must hold what no restart can give back: the prefills of all groups at once, and
/// then one prompt to its end, so that the oldest goes on.
void read_hard(ConfigReader& reader, IterationExperiment const& experiment,
               IterationPolicyEntry& entry)
{
    entry.spec.hard = reader.flag("hard", false);
    if (!entry.spec.hard) return;
    auto const& value = *reader.find("hard");
    if (entry.spec.memory == 0) reader.reject("hard", value, "false, or memory given");
    Tokens longest = 0;
    for (auto const& type : experiment.load.types)
        longest = std::max(longest, type.prompt + type.output);
    auto const prefills = entry.spec.thresholds.prefill_tokens(experiment.load.types);
    if (entry.spec.memory < prefills + longest)
        reader.reject("hard", value,
                      fmt::format("false with a memory of {}: it takes {} to prefill all "
                                  "thresholds at once and {} for the longest prompt and output",
                                  entry.spec.memory, prefills, longest));
}

} // namespace

IterationPolicyEntry read_iteration_policy(ConfigValue const& table, std::size_t number,
                                           IterationExperiment const& experiment)
{
    ConfigReader reader(table, fmt::format("policy.{}", number));
    IterationPolicyEntry entry;
    std::vector<std::string> const ids(std::begin(iteration_policy_ids),
                                       std::end(iteration_policy_ids));
    entry.id = reader.choice("id", ids);
    entry.label = reader.text("label", entry.id);
    entry.spec.kind =
        static_cast<IterationPolicyKind>(std::ranges::find(ids, entry.id) - ids.begin());
    if (entry.spec.kind == IterationPolicyKind::wait)
        read_wait(reader, experiment, entry);
    else if (entry.spec.kind == IterationPolicyKind::nested_wait)
        read_nested_wait(reader, experiment, entry);
    else
        entry.spec.limit = reader.integer("limit", 0, 1'000'000'000, 0);
    if (entry.spec.kind == IterationPolicyKind::fcfs_sarathi)
        entry.spec.budget = reader.integer("budget", 0, 1'000'000'000, 0);
    if (entry.spec.kind == IterationPolicyKind::fcfs_sarathi ||
        entry.spec.kind == IterationPolicyKind::fcfs_vllm)
        entry.spec.keep_tokens = reader.flag("keep_tokens", false);
    read_memory(reader, experiment, entry);
    if (has_thresholds(entry.spec.kind)) read_hard(reader, experiment, entry);
    auto const accepts_broken =
        has_thresholds(entry.spec.kind) && reader.flag("accept_broken_condition", false);
    reader.finish();
    if (!entry.broken.empty() && !accepts_broken)
        throw InputError(table.where + ": " + reader.path("thresholds") + "\n  " + entry.broken +
                         "\n  accept_broken_condition = true runs it all the same");
    return entry;
}

} // namespace crx
