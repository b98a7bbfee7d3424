#include "analysis/fluid/equilibrium.hh"
#include "host/error.hh"
#include "host/experiment/reading/nearest_name.hh"
#include "host/iteration/iteration_readers.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace crx {
namespace {

void read_wait(ConfigReader& reader, IterationSetting const& setting, IterationPolicyEntry& entry)
{
    auto load = setting.load;
    for (std::size_t j = 0; j < load.rate.size(); ++j)
        for (auto const& slice : setting.rate) load.rate[j] = std::max(load.rate[j], slice[j]);
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

/// The most that a policy can hold; none where nothing bounds it.
std::optional<Tokens> peak_of(IterationPolicyEntry const& entry)
{
    if (entry.spec.hard || entry.delta || !has_thresholds(entry.spec.kind))
        return entry.spec.memory;
    if (entry.spec.kind == IterationPolicyKind::wait) return entry.batch_tokens;
    return std::nullopt; // prompts between segments, of which there may be any number
}

/// memory = "peak-of:LABEL": as much as another policy holds at most.
Tokens read_peak(ConfigReader& reader, ConfigValue const& value, IterationSetting const& setting)
{
    auto const label = value.text.substr(std::string_view("peak-of:").size());
    std::vector<std::string> labels;
    for (auto const& entry : setting.policies) labels.push_back(entry.label);
    auto const found = std::ranges::find(labels, label);
    if (found == labels.end())
        reader.reject("memory", value,
                      labels.empty()
                          ? "\"peak-of:LABEL\" of a policy above, and there is none"
                          : "\"peak-of:LABEL\" of a policy above, " + one_of(label, labels));
    auto const peak = peak_of(setting.policies[static_cast<std::size_t>(found - labels.begin())]);
    if (!peak)
        reader.reject("memory", value,
                      "\"peak-of:LABEL\" of a policy whose memory has a bound: nested-wait has one "
                      "with delta or hard memory");
    return *peak;
}

void read_memory(ConfigReader& reader, IterationSetting const& setting, IterationPolicyEntry& entry)
{
    auto const thresholds = has_thresholds(entry.spec.kind);
    if (entry.delta) return; // (12) says it
    if (thresholds && reader.find("memory") == nullptr) return;
    Tokens least = thresholds ? 1 : 0;
    if (!thresholds)
        for (auto const& type : setting.load.types)
            least = std::max(least, type.prompt + type.output);
    auto const& value = reader.need("memory", "\"fluid\" (M*), \"peak-of:LABEL\" or tokens");
    if (value.kind == ConfigValue::Kind::text && value.text.starts_with("peak-of:")) {
        entry.spec.memory = read_peak(reader, value, setting);
        if (entry.spec.memory < least)
            reader.reject("memory", value,
                          fmt::format("at least {}, the longest prompt and output, and this is {}",
                                      least, entry.spec.memory));
    } else if (value.kind == ConfigValue::Kind::text) {
        reader.choice("memory", {"fluid"});
        if (!(fluid::utilisation(setting.load) < 1))
            reader.reject("memory", value, "tokens, as an unstable load has no M*");
        entry.spec.memory =
            static_cast<Tokens>(std::floor(fluid::equilibrium(setting.load).memory * (1 + 1e-12)));
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
void read_hard(ConfigReader& reader, IterationSetting const& setting, IterationPolicyEntry& entry)
{
    entry.spec.hard = reader.flag("hard", false);
    if (!entry.spec.hard) return;
    auto const& value = *reader.find("hard");
    if (entry.spec.memory == 0) reader.reject("hard", value, "false, or memory given");
    Tokens longest = 0;
    for (auto const& type : setting.load.types)
        longest = std::max(longest, type.prompt + type.output);
    auto const prefills = entry.spec.thresholds.prefill_tokens(setting.load.types);
    if (entry.spec.memory < prefills + longest)
        reader.reject("hard", value,
                      fmt::format("false with a memory of {}: it takes {} to prefill all "
                                  "thresholds at once and {} for the longest prompt and output",
                                  entry.spec.memory, prefills, longest));
}

} // namespace

IterationPolicyEntry read_iteration_policy(ConfigValue const& table, std::size_t number,
                                           IterationSetting const& setting)
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
        read_wait(reader, setting, entry);
    else if (entry.spec.kind == IterationPolicyKind::nested_wait)
        read_nested_wait(reader, setting, entry);
    else
        entry.spec.limit = reader.integer("limit", 0, 1'000'000'000, 0);
    if (entry.spec.kind == IterationPolicyKind::fcfs_sarathi)
        entry.spec.budget = reader.integer("budget", 0, 1'000'000'000, 0);
    if (entry.spec.kind == IterationPolicyKind::fcfs_sarathi ||
        entry.spec.kind == IterationPolicyKind::fcfs_vllm)
        entry.spec.keep_tokens = reader.flag("keep_tokens", false);
    read_memory(reader, setting, entry);
    if (has_thresholds(entry.spec.kind)) read_hard(reader, setting, entry);
    auto const accepts_broken =
        has_thresholds(entry.spec.kind) && reader.flag("accept_broken_condition", false);
    reader.finish();
    if (!entry.broken.empty() && !accepts_broken) {
        auto const* key = reader.find("thresholds") != nullptr ? "thresholds" : "group";
        throw InputError(reader.find(key)->where + ": " + reader.path(key) + "\n  " + entry.broken +
                         "\n  accept_broken_condition = true runs it all the same");
    }
    return entry;
}

} // namespace crx
