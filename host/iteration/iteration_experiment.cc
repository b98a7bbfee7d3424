#include "host/iteration/iteration_experiment.hh"

#include "host/error.hh"
#include "host/experiment/config_reader.hh"
#include "host/experiment/overrides.hh"
#include "host/input/line_reader.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace crx {
namespace {

void read_machine(ConfigReader& top, IterationExperiment& experiment)
{
    ConfigReader reader(top.need("machine", "a table with d0 and d1"), "machine");
    auto const d0 = reader.number("d0", {1e-9, 1e6});
    auto const d1 = reader.number("d1", {0, 1e3});
    reader.finish();
    experiment.time.overhead = std::llround(d0 * 1e9);
    experiment.time.per_token = static_cast<std::uint64_t>(std::llround(d1 * 1e9 * 65536));
    // The theory is of what is simulated: whole nanoseconds, and d1 in 2^-16 of them.
    experiment.load.overhead = static_cast<double>(experiment.time.overhead) * 1e-9;
    experiment.load.per_token = static_cast<double>(experiment.time.per_token) * 1e-9 / 65536;
}

std::vector<double> read_rates(ConfigReader& reader)
{
    auto const& value = reader.need("rate", "a positive number, or a list of them, one a slice");
    std::vector<double> rates;
    auto const accepted = "a positive number of prompts per second below 10^9, or a list of "
                          "such, or 0, one a slice";
    auto const is_list = value.kind == ConfigValue::Kind::list && !value.list.empty();
    for (auto const& each : is_list ? value.list : std::vector<ConfigValue>{value}) {
        if (!each.is_number() || !(each.number() > 0 || (is_list && each.number() == 0)) ||
            !(each.number() < 1e9))
            reader.reject("rate", each, accepted);
        rates.push_back(each.number());
    }
    return rates;
}

void read_types(ConfigReader& top, IterationExperiment& experiment)
{
    auto const& list = top.need("type", "one [[type]] table or more");
    if (list.kind != ConfigValue::Kind::list || list.list.empty())
        top.reject("type", list, "one [[type]] table or more");
    if (list.list.size() > 10'000) top.reject("type", list, "at most 10000 tables");
    std::vector<std::vector<double>> by_type;
    for (std::size_t j = 0; j < list.list.size(); ++j) {
        ConfigReader reader(list.list[j], fmt::format("type.{}", j));
        PromptType type;
        type.prompt = reader.integer("prompt", 1, 1'000'000);
        type.output = reader.integer("output", 1, 1'000'000);
        by_type.push_back(read_rates(reader));
        if (by_type.back().size() != by_type.front().size())
            reader.reject(
                "rate", *reader.find("rate"),
                fmt::format("of as many slices as type 0 has, {}", by_type.front().size()));
        reader.finish();
        experiment.load.types.push_back(type);
    }
    auto const slices = by_type.front().size();
    experiment.rate.assign(slices, std::vector<double>(by_type.size()));
    for (std::size_t j = 0; j < by_type.size(); ++j) {
        double sum = 0;
        for (std::size_t s = 0; s < slices; ++s) {
            experiment.rate[s][j] = by_type[j][s];
            sum += by_type[j][s];
        }
        if (sum <= 0) top.reject("type", list.list[j], "with a positive rate in some slice");
        experiment.load.rate.push_back(sum / static_cast<double>(slices));
    }
}

void read_run(ConfigReader& top, IterationExperiment& experiment)
{
    ConfigReader reader(top.need("run", "a table with paths and horizon"), "run");
    experiment.seed = static_cast<std::uint64_t>(reader.integer("seed", 0, INT64_MAX, 1));
    experiment.paths = reader.integer("paths", 40, 10'000'000);
    experiment.horizon = reader.number("horizon", {1e-6, 1e9, false, false, false});
    experiment.doublings = reader.integer("doublings", 1, 40);
    experiment.fit_from = reader.integer("fit_from", 0, experiment.doublings - 1, 0);
    experiment.confidence = reader.number("confidence", {0, 1, false, true, true}, 0.95);
    if (experiment.rate.size() > 1) experiment.slice = reader.number("slice", {1e-6, 1e9});
    if (std::ldexp(experiment.horizon, static_cast<int>(experiment.doublings)) > 9e9)
        reader.reject("horizon", *reader.find("horizon"),
                      "at most 9e9 seconds after all doublings, as time is 64-bit nanoseconds");
    if (reader.flag("accept_unstable", false)) return reader.finish();
    reader.finish();
    auto const d = fluid::utilisation(experiment.load);
    if (!(d < 1))
        throw InputError(fmt::format(
            "{}: the load is unstable: D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2) = {:.6g}, which "
            "must be below 1\n  run.accept_unstable = true runs it all the same",
            reader.table().where, d));
}

std::vector<std::int64_t> integers(ConfigReader& reader, std::string const& key, std::int64_t most)
{
    auto const accepted = fmt::format("a list of integers in [1, {}]", most);
    auto const& value = reader.need(key, accepted);
    if (value.kind != ConfigValue::Kind::list || value.list.empty())
        reader.reject(key, value, accepted);
    std::vector<std::int64_t> out;
    for (auto const& each : value.list) {
        if (each.kind != ConfigValue::Kind::integer || !(each.integer >= 1 && each.integer <= most))
            reader.reject(key, each, accepted);
        out.push_back(each.integer);
    }
    return out;
}

/// "least", "inside" or a list; the conditions of the theorems are checked by the caller.
std::vector<std::int64_t> read_thresholds(ConfigReader& reader, std::size_t count, auto least)
{
    auto const& value = reader.need("thresholds", "\"least\", \"inside\" or a list");
    if (value.kind == ConfigValue::Kind::text) {
        auto const word = reader.choice("thresholds", {"least", "inside"});
        return least(word == "inside" ? fluid::Margin::inside : fluid::Margin::at_least);
    }
    auto const n = integers(reader, "thresholds", 1'000'000'000);
    if (n.size() != count) reader.reject("thresholds", value, fmt::format("a list of {}", count));
    return n;
}

[[noreturn]] void no_thresholds(ConfigReader& reader, double d)
{
    throw InputError(fmt::format("{}: no thresholds satisfy the theorem's condition: D = {:.6g} of "
                                 "the load and its segments must be below 1",
                                 reader.table().where, d));
}

void read_wait(ConfigReader& reader, IterationExperiment const& experiment,
               IterationPolicyEntry& entry)
{
    auto load = experiment.load;
    for (std::size_t j = 0; j < load.rate.size(); ++j)
        for (auto const& slice : experiment.rate) load.rate[j] = std::max(load.rate[j], slice[j]);
    entry.thresholds = read_thresholds(reader, load.types.size(), [&](fluid::Margin margin) {
        auto const n = fluid::least_wait_thresholds(load, margin);
        if (!n) no_thresholds(reader, fluid::utilisation(load));
        return *n;
    });
    entry.spec.thresholds = wait_table(load.types, entry.thresholds);
    entry.batch_tokens = fluid::wait_batch_tokens(load.types, entry.thresholds);
    entry.broken = fluid::broken_wait_condition(load, entry.thresholds);
}

/// `ends` as given, or `segments` of them, as even as whole stages allow, up to the longest output.
std::vector<Tokens> read_ends(ConfigReader& reader, IterationExperiment const& experiment)
{
    if (reader.find("segments") == nullptr) return integers(reader, "ends", 1'000'000);
    Tokens longest = 0;
    for (auto const& type : experiment.load.types) longest = std::max(longest, type.output);
    auto const count = reader.integer("segments", 1, longest);
    if (auto const* ends = reader.find("ends"))
        reader.reject("ends", *ends, "left out where segments are given");
    std::vector<Tokens> ends;
    for (std::int64_t i = 1; i <= count; ++i) ends.push_back((longest * i + count - 1) / count);
    return ends;
}

void read_nested(ConfigReader& reader, IterationExperiment const& experiment,
                 IterationPolicyEntry& entry)
{
    auto const ends = read_ends(reader, experiment);
    auto const key = reader.find("ends") != nullptr ? "ends" : "segments";
    try {
        entry.nested = fluid::nested_load(experiment.load, ends, experiment.rate);
    } catch (std::domain_error const& error) {
        throw InputError(reader.find(key)->where + ": " + reader.path(key) + " = " +
                         reader.find(key)->written() + "\n  not accepted: " + error.what());
    }
    entry.thresholds = read_thresholds(reader, ends.size(), [&](fluid::Margin) {
        auto const n = fluid::least_nested_thresholds(*entry.nested);
        if (!n) no_thresholds(reader, fluid::nested_utilisation(*entry.nested));
        return *n;
    });
    entry.spec.thresholds = nested_table(
        experiment.load.types,
        {{experiment.load.types.front().prompt, {ends.begin(), ends.end()}, entry.thresholds}});
    entry.batch_tokens = fluid::nested_batch_tokens(entry.nested->prompt, ends, entry.thresholds);
    entry.broken = fluid::broken_nested_condition(*entry.nested, entry.thresholds);
    if (reader.find("delta") == nullptr) return;
    entry.delta = reader.number("delta", {0, 1, false, true, true});
    try {
        entry.memory_bound = fluid::memory_bound(
            *entry.nested, entry.thresholds,
            std::ldexp(experiment.horizon, static_cast<int>(experiment.doublings)), *entry.delta);
    } catch (std::domain_error const& error) {
        throw InputError(reader.find("delta")->where + ": " + reader.path("delta") + ": " +
                         error.what());
    }
    if (reader.flag("batch_as_printed", false)) {
        entry.batch_tokens_as_printed =
            fluid::nested_batch_tokens_as_printed(entry.nested->prompt, ends, entry.thresholds);
        entry.memory_bound->batch = *entry.batch_tokens_as_printed;
    }
    entry.spec.memory = static_cast<Tokens>(std::floor(entry.memory_bound->total()));
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

IterationPolicyEntry read_policy(ConfigValue const& table, std::size_t number,
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
        read_nested(reader, experiment, entry);
    else
        entry.spec.limit = reader.integer("limit", 0, 1'000'000'000, 0);
    if (entry.spec.kind == IterationPolicyKind::fcfs_sarathi)
        entry.spec.budget = reader.integer("budget", 0, 1'000'000'000, 0);
    if (entry.spec.kind == IterationPolicyKind::fcfs_sarathi ||
        entry.spec.kind == IterationPolicyKind::fcfs_vllm)
        entry.spec.keep_tokens = reader.flag("keep_tokens", false);
    read_memory(reader, experiment, entry);
    auto const accepts_broken =
        has_thresholds(entry.spec.kind) && reader.flag("accept_broken_condition", false);
    reader.finish();
    if (!entry.broken.empty() && !accepts_broken)
        throw InputError(table.where + ": " + reader.path("thresholds") + "\n  " + entry.broken +
                         "\n  accept_broken_condition = true runs it all the same");
    return entry;
}

} // namespace

IterationExperiment IterationExperiment::read(std::filesystem::path const& file,
                                              std::vector<std::string> const& overrides)
{
    LineReader lines(file);
    std::string text;
    for (std::string_view line; lines.next(line);) {
        text += line;
        text += '\n';
    }
    return parse(text, file.string(), overrides);
}

IterationExperiment IterationExperiment::parse(std::string const& text, std::string const& name,
                                               std::vector<std::string> const& overrides)
{
    auto document = parse_toml(text, name);
    for (auto const& override : overrides) apply_override(document, override);
    ConfigReader top(document, "");
    IterationExperiment experiment;
    experiment.title = top.text("title", "");
    for (auto const* key : {"machine", "type", "run", "policy"}) top.find(key);
    top.finish();
    read_machine(top, experiment);
    read_types(top, experiment);
    read_run(top, experiment);
    auto const& list = top.need("policy", "one [[policy]] table or more");
    if (list.kind != ConfigValue::Kind::list || list.list.empty())
        top.reject("policy", list, "one [[policy]] table or more");
    for (std::size_t k = 0; k < list.list.size(); ++k)
        experiment.policies.push_back(read_policy(list.list[k], k, experiment));
    return experiment;
}

IterationCell IterationExperiment::cell(IterationPolicyEntry const& entry) const
{
    IterationCell cell;
    cell.time = time;
    cell.types = load.types;
    cell.arrivals =
        poisson_rates(rate, slice > 0 ? static_cast<Nanoseconds>(std::llround(slice * 1e9)) : 1);
    cell.policy = entry.spec;
    cell.seed = seed;
    for (std::int64_t k = 0; k <= doublings; ++k)
        cell.checkpoints.push_back(
            static_cast<Nanoseconds>(std::llround(std::ldexp(horizon, static_cast<int>(k)) * 1e9)));
    return cell;
}

} // namespace crx
