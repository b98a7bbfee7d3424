#include "host/evidence/claims/trial.hh"

#include "host/error.hh"
#include "host/evidence/claims/closed_forms.hh"
#include "host/evidence/claims/sources.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace crx::claims {

namespace {

std::vector<std::string> const role_names{"statement", "correction", "sharper", "tight"};

std::set<std::string> names_of(Trial const& trial)
{
    auto const list = trial.expect.names();
    std::set<std::string> names(list.begin(), list.end());
    if (trial.where) names.insert(trial.where->names().begin(), trial.where->names().end());
    return names;
}

[[noreturn]] void refuse(Trial const& trial, std::string const& key, std::string const& accepted)
{
    throw ConfigError(trial.place, key, trial.expect.text(), accepted);
}

/// Whether made-up values of its names miss a relation: of 0 to 10^15, below 0 too where a number
/// may be, and at most 1 of the share unfinished.
bool can_be_missed(Relation const& relation)
{
    auto const has = [](std::string const& name, auto const&... parts) {
        return ((name.find(parts) != name.npos) || ...);
    };
    std::mt19937_64 random(1);
    auto const uniform = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
    };
    auto const draw = [&](std::string const& name) {
        auto const size = std::pow(10., uniform(-12, 15));
        if (has(name, "unfinished")) return std::min(1., size);
        bool const is_signed = has(name, "exponent", "gap", "difference", "eigenvalue");
        return is_signed && random() % 2 == 0 ? -size : random() % 16 == 0 ? 0 : size;
    };
    for (int k = 0; k < 4000; ++k) {
        Numbers values;
        for (auto const& name : relation.names()) values.try_emplace(name, draw(name));
        try {
            auto const value = [&](std::string const& name) { return Interval(values.at(name)); };
            if (relation.compare(value, 0).missed) return true;
        } catch (InputError const&) {
            continue; // outside of what its functions take
        }
    }
    return false;
}

} // namespace

void check_trial(Trial const& trial)
{
    std::string const key = "trial.expect";
    auto const names = trial.expect.names();
    auto const measured = trial.source.measured(names_of(trial));
    if (std::ranges::none_of(names, [&](auto const& name) { return measured.contains(name); }))
        refuse(
            trial, key,
            "a relation of at least one number that is measured or computed; this one is of axes "
            "and constants, so no outcome can miss it");
    if (!can_be_missed(trial.expect))
        refuse(
            trial, key,
            "a relation that some outcome misses: none of 4,000 made-up outcomes misses this one "
            "(latencies, ratios and counts of 0 to 10^15, unfinished at most 1)");
}

std::string_view name_of(Outcome outcome)
{
    return outcome == Outcome::kept ? "kept" : outcome == Outcome::missed ? "missed" : "unclear";
}

Trial read_trial(ConfigValue const& table, std::string const& key,
                 std::filesystem::path const& folder)
{
    ConfigReader reader(table, key);
    Trial trial;
    trial.place = table.where;
    auto const role = reader.choice("of", role_names, "statement");
    trial.role = static_cast<Role>(std::ranges::find(role_names, role) - role_names.begin());
    trial.reading = reader.text("reading", "");
    auto const& expect = reader.need("expect", "what must be seen: \"LEFT <= RIGHT\"");
    trial.place = expect.where;
    trial.expect = Relation(expect, reader.path("expect"));
    if (auto const* where = reader.find("where"))
        trial.where = Expression(*where, reader.path("where"), "a condition");
    trial.some = reader.choice("for", {"all", "some"}, "all") == "some";
    trial.slack = reader.number("slack", numbers_in(0, 0.1), 0);
    trial.confidence = reader.number("confidence", numbers_in(0.5, 0.999999), 0.999);
    auto const grid = read_grid(reader);
    int kinds = 0;
    auto const of_kind = [&](char const* name, auto make) {
        auto const* value = reader.find(name);
        if (value == nullptr) return;
        if (++kinds > 1)
            reader.reject(name, *value,
                          "the only one of instance, random, experiment, witness, "
                          "search and function in a trial");
        if (!grid.empty() && (std::string(name) == "experiment" || std::string(name) == "random" ||
                              std::string(name) == "witness" || std::string(name) == "search"))
            reader.reject("grid", *table.find("grid"),
                          "left out: " + std::string(name) + " has its own points");
        trial.source = make(*value);
    };
    of_kind("instance", [&](ConfigValue const& v) {
        return instance_source(v, reader.path("instance"), grid);
    });
    of_kind("random",
            [&](ConfigValue const& v) { return random_source(v, reader.path("random")); });
    of_kind("experiment", [&](ConfigValue const&) {
        return experiment_source(reader, folder, trial.confidence);
    });
    of_kind("witness", [&](ConfigValue const&) { return witness_source(reader, folder); });
    of_kind("search",
            [&](ConfigValue const& v) { return search_source(v, reader.path("search")); });
    of_kind("function", [&](ConfigValue const&) { return function_source(reader, grid); });
    if (kinds == 0) trial.source = closed_form_source(grid, trial.place);
    reader.finish();
    if (trial.source.kind != "experiment" && trial.source.kind != "function") check_trial(trial);
    return trial;
}

TrialResult run_trial(Trial const& trial)
{
    check_trial(trial);
    TrialResult result;
    result.nearest.nearness = -std::numeric_limits<double>::infinity();
    trial.source.run(names_of(trial), [&](Point const& point) {
        auto const value = [&](std::string const& name) -> Interval {
            if (auto const at = point.at.find(name); at != point.at.end()) return at->second;
            return point.value(name);
        };
        if (trial.where &&
            trial.where->evaluate([&](auto const& name) { return value(name).value; }) == 0) {
            ++result.left_out;
            return;
        }
        auto const compared = trial.expect.compare(value, trial.slack);
        // A closed form outside its domain says nothing.
        if (std::isnan(compared.left.value) || std::isnan(compared.right.value)) {
            ++result.left_out;
            return;
        }
        ++result.points;
        result.missed += compared.missed ? 1 : 0;
        result.unclear += !compared.missed && !compared.kept ? 1 : 0;
        // For some: the point that is furthest inside counts.
        auto const nearness = trial.some ? -compared.nearness : compared.nearness;
        auto const now = trial.some ? -result.nearest.nearness : result.nearest.nearness;
        if (result.points == 1 || nearness > now) {
            result.nearest = compared;
            result.at = point.at;
        }
    });
    if (result.points == 0)
        throw InputError(trial.place +
                         ": the trial has no point that counts, so it decides nothing");
    auto const kept = result.points - result.missed - result.unclear;
    if (trial.some)
        result.outcome = kept > 0                         ? Outcome::kept
                         : result.missed == result.points ? Outcome::missed
                                                          : Outcome::unclear;
    else
        result.outcome = result.missed > 0    ? Outcome::missed
                         : result.unclear > 0 ? Outcome::unclear
                                              : Outcome::kept;
    return result;
}

} // namespace crx::claims
