#include "analysis/fluid/critical_load.hh"
#include "host/error.hh"
#include "host/experiment/iteration_readers.hh"
#include "host/experiment/policy_list.hh"
#include "host/input/accepted.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>

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
    check_label(reader, entry.label);
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

namespace {

/// Largest output for each prompt length; under 0 where all are one group.
using Longest = std::map<Tokens, Tokens>;

Longest longest_outputs(std::vector<PromptType> const& types, bool one_group)
{
    Longest out;
    for (auto const& type : types) {
        auto& longest = out[one_group ? 0 : type.prompt];
        longest = std::max(longest, type.output);
    }
    return out;
}

/// `ends` as given, or `segments` of them, as even as whole stages allow, up to the longest output.
std::vector<Tokens> read_ends(ConfigReader& reader, Tokens longest)
{
    if (reader.find("segments") == nullptr) return read_integers(reader, "ends", 1'000'000);
    auto const count = reader.integer("segments", 1, longest);
    if (auto const* ends = reader.find("ends"))
        reader.reject("ends", *ends, "left out where segments are given");
    std::vector<Tokens> ends;
    for (std::int64_t i = 1; i <= count; ++i) ends.push_back((longest * i + count - 1) / count);
    return ends;
}

/// A list, or nothing for "least" (and "inside", as (10) is strict).
std::vector<std::int64_t> read_thresholds(ConfigReader& reader, std::size_t count)
{
    auto const& value = reader.need("thresholds", "\"least\" or a list");
    if (value.kind == ConfigValue::Kind::text) {
        reader.choice("thresholds", {"least", "inside"});
        return {};
    }
    auto const n = read_integers(reader, "thresholds", 1'000'000'000);
    if (n.size() != count) reader.reject("thresholds", value, fmt::format("a list of {}", count));
    return n;
}

struct GroupList
{
    std::vector<fluid::GroupEnds> ends;
    fluid::GroupThresholds thresholds; ///< empty lists: the least are wanted
};

/// One group by the keys of the policy itself.
GroupList one_group(ConfigReader& reader, Tokens prompt, Tokens longest)
{
    auto const ends = read_ends(reader, longest);
    return {{{prompt, ends}}, {read_thresholds(reader, ends.size())}};
}

/// The same segments for every prompt length, as far as its outputs reach.
GroupList by_prompt(ConfigReader& reader, Longest const& longest)
{
    GroupList out;
    Tokens most = 0;
    for (auto const& [prompt, output] : longest) most = std::max(most, output);
    auto const ends = read_ends(reader, most);
    if (auto const& value = reader.need("thresholds", "\"least\"");
        value.kind != ConfigValue::Kind::text)
        reader.reject("thresholds", value,
                      "\"least\" for groups by prompt; [[policy.group]] tables take lists");
    for (auto const& [prompt, output] : longest) {
        std::vector<Tokens> own;
        for (auto const end : ends)
            if (end < output) own.push_back(end);
        own.push_back(output);
        out.ends.push_back({prompt, own});
        out.thresholds.push_back(read_thresholds(reader, own.size()));
    }
    return out;
}

GroupList listed_groups(ConfigReader& reader, ConfigValue const& list, Longest const& longest)
{
    if (list.kind != ConfigValue::Kind::list || list.list.empty())
        reader.reject("group", list, "one [[policy.group]] table or more");
    GroupList out;
    for (std::size_t g = 0; g < list.list.size(); ++g) {
        ConfigReader table(list.list[g], reader.path("group") + fmt::format(".{}", g));
        auto const prompt = table.integer("prompt", 1, 1'000'000);
        if (!longest.contains(prompt))
            table.reject("prompt", *table.find("prompt"), "the prompt length of some type");
        auto const ends = read_ends(table, longest.at(prompt));
        out.ends.push_back({prompt, ends});
        out.thresholds.push_back(read_thresholds(table, ends.size()));
        table.finish();
    }
    return out;
}

/// The key that an error in the groups is reported at.
std::string groups_key(ConfigReader& reader)
{
    for (auto const* key : {"group", "ends", "segments"})
        if (reader.find(key) != nullptr) return key;
    return "id";
}

GroupList read_groups(ConfigReader& reader, IterationSetting const& setting)
{
    auto const longest = longest_outputs(setting.load.types, false);
    if (auto const* list = reader.find("group")) return listed_groups(reader, *list, longest);
    auto const* word = reader.find("groups");
    auto const choice = reader.choice("groups", {"by-prompt", "one"}, "by-prompt");
    if (choice == "one" && longest.size() > 1)
        return one_group(reader, 0, longest_outputs(setting.load.types, true).at(0));
    if (longest.size() == 1)
        return one_group(reader, longest.begin()->first, longest.begin()->second);
    if (word == nullptr)
        throw InputError(reader.table().where + ": " + reader.path("groups") +
                         fmt::format(" is missing where types have {} prompt lengths\n  accepted: "
                                     "\"by-prompt\" or \"one\", or [[policy.group]] tables, one a "
                                     "prompt length",
                                     longest.size()));
    return by_prompt(reader, longest);
}

void read_delta(ConfigReader& reader, IterationSetting const& setting, IterationPolicyEntry& entry)
{
    if (reader.find("delta") == nullptr) return;
    if (entry.groups.size() > 1 || entry.spec.thresholds.mixes_prompts())
        reader.reject("delta", *reader.find("delta"),
                      "left out: (12) is of one group with one prompt length");
    auto const& load = entry.groups.front();
    entry.delta = reader.number("delta", {0, 1, false, true, true});
    try {
        entry.memory_bound = fluid::memory_bound(
            load, entry.thresholds,
            std::ldexp(setting.horizon, static_cast<int>(setting.doublings)), *entry.delta);
    } catch (std::domain_error const& error) {
        throw InputError(reader.find("delta")->where + ": " + reader.path("delta") + ": " +
                         error.what());
    }
    if (reader.flag("batch_as_printed", false)) {
        entry.batch_tokens_as_printed =
            fluid::nested_batch_tokens_as_printed(load.prompt, load.ends, entry.thresholds);
        entry.memory_bound->batch = *entry.batch_tokens_as_printed;
    }
    entry.spec.memory = static_cast<Tokens>(std::floor(entry.memory_bound->total()));
}

} // namespace

std::vector<std::int64_t> read_integers(ConfigReader& reader, std::string const& key,
                                        std::int64_t most)
{
    auto const accepted = fmt::format("a list of integers in [1, {}]", most);
    auto const& value = reader.need(key, accepted);
    if (value.kind != ConfigValue::Kind::list || value.list.empty())
        reader.reject(key, value, accepted);
    std::vector<std::int64_t> out;
    for (auto const& each : value.list) {
        auto const whole = integer_of(each);
        if (!whole || !(*whole >= 1 && *whole <= most)) reader.reject(key, each, accepted);
        out.push_back(*whole);
    }
    return out;
}

[[noreturn]] void fail_without_thresholds(ConfigReader& reader, double utilisation)
{
    throw InputError(fmt::format("{}: no thresholds satisfy the theorem's condition: D = {:.6g} of "
                                 "the load and its segments must be below 1",
                                 reader.table().where, utilisation));
}

void read_nested_wait(ConfigReader& reader, IterationSetting const& setting,
                      IterationPolicyEntry& entry)
{
    auto const list = read_groups(reader, setting);
    try {
        entry.groups = fluid::nested_groups(setting.load, list.ends, setting.rate);
    } catch (std::domain_error const& error) {
        auto const key = groups_key(reader);
        throw InputError(reader.find(key)->where + ": " + reader.path(key) + " = " +
                         reader.find(key)->written() + "\n  not accepted: " + error.what());
    }
    auto const n = thresholds_of(
        reader, [&] { return fluid::least_group_thresholds(entry.groups, list.thresholds); });
    if (!n) fail_without_thresholds(reader, fluid::groups_utilisation(entry.groups));
    std::vector<NestedSegments> segments;
    for (std::size_t g = 0; g < n->size(); ++g) {
        auto const& ends = list.ends[g];
        entry.thresholds.insert(entry.thresholds.end(), (*n)[g].begin(), (*n)[g].end());
        segments.push_back({ends.prompt, {ends.ends.begin(), ends.ends.end()}, (*n)[g]});
    }
    entry.spec.thresholds = nested_table(setting.load.types, segments);
    entry.batch_tokens = fluid::groups_batch_tokens(entry.groups, *n);
    entry.broken = fluid::broken_group_condition(entry.groups, *n);
    read_delta(reader, setting, entry);
}

} // namespace crx
