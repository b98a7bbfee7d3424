#include "host/experiment/iteration_setting.hh"

#include "analysis/fluid/machine_profile.hh"
#include "host/experiment/arrivals.hh"
#include "host/experiment/iteration_readers.hh"
#include "host/experiment/measure_plan.hh"

#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

constexpr double fixed_point = 65536; ///< d1 is kept in 2^-16 nanoseconds

/// [workload.clock] in nanoseconds, as the round model has it; an iteration has no d2 and d3.
void read_machine(ConfigReader& workload, IterationSetting& setting)
{
    ConfigReader reader(workload.need("clock", "a table with profile, or with d0 and d1"),
                        workload.path("clock"));
    double d0 = 0, d1 = 0;
    if (reader.find("profile") != nullptr) {
        auto const* profile = machine_profile_named(reader.choice("profile", profile_ids()));
        d0 = static_cast<double>(profile->d0);
        d1 = static_cast<double>(profile->d1) / fixed_point;
    } else {
        d0 = reader.number("d0", {1, 1e15});
        d1 = reader.number("d1", {0, 1e12});
        for (auto const* key : {"d2", "d3"})
            if (auto const* value = reader.find(key);
                value != nullptr && !(value->is_number() && value->number() == 0))
                reader.reject(key, *value,
                              "0 or left out: an iteration takes d0 and d1 a token of its batch");
    }
    auto const slowdown = reader.number("slowdown", {1e-9, 1e9}, 1);
    reader.finish();
    setting.time.overhead = std::llround(d0 * slowdown);
    setting.time.per_token = static_cast<std::uint64_t>(std::llround(d1 * slowdown * fixed_point));
    if (setting.time.overhead < 1 || d0 * slowdown > 1e15 || d1 * slowdown > 1e12)
        reader.reject("slowdown", *reader.find("slowdown"),
                      "a number that leaves d0 between 1 and 1e15 and d1 at most 1e12");
    // The theory is of what is simulated: whole nanoseconds, and d1 in 2^-16 of them.
    setting.load.overhead = static_cast<double>(setting.time.overhead) * 1e-9;
    setting.load.per_token = static_cast<double>(setting.time.per_token) * 1e-9 / fixed_point;
}

void read_horizons(ConfigReader& workload, IterationSetting& setting)
{
    setting.horizon = workload.number("horizon", {1e-6, 1e9, false, false, false});
    setting.doublings = workload.integer("doublings", 0, 40, 0);
    auto const longest = doubled_horizons(setting.horizon, setting.doublings).back();
    if (longest > 9e9)
        workload.reject("horizon", *workload.find("horizon"),
                        "at most 9e9 seconds after all doublings, as time is 64-bit nanoseconds");
    setting.arrivals = poisson_rates(
        setting.rate,
        setting.slice > 0 ? static_cast<Nanoseconds>(std::llround(setting.slice * 1e9)) : 1);
    auto const most = static_cast<double>(setting.arrivals.longest()) * 1e-9;
    if (longest > most)
        workload.reject("horizon", *workload.find("horizon"),
                        fmt::format("at most {:.6g} s after all doublings, which is {:.6g} s here, "
                                    "at these rates: there the random words of a path end",
                                    most, longest));
}

void check_load(ConfigReader& workload, IterationSetting const& setting)
{
    auto const accepted = workload.flag("accept_unstable", false);
    auto const d = fluid::utilisation(setting.load);
    if (d < 1 || accepted) return;
    throw InputError(fmt::format(
        "{}: the load is unstable: D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2) = {:.6g}, "
        "which must be below 1\n  workload.accept_unstable = true runs it all the same",
        workload.table().where, d));
}

} // namespace

std::vector<double> doubled_horizons(double horizon, std::int64_t doublings)
{
    std::vector<double> all;
    for (std::int64_t k = 0; k <= doublings; ++k)
        all.push_back(std::ldexp(horizon, static_cast<int>(k)));
    return all;
}

std::vector<double> IterationSetting::horizons() const
{
    return doubled_horizons(horizon, doublings);
}

IterationSetting read_iteration_setting(ConfigValue const& document, TraceFiles& traces,
                                        std::uint64_t seed)
{
    ConfigReader top(document, "");
    IterationSetting setting;
    setting.seed = seed;
    if (auto const* run = top.find("run")) {
        ConfigReader reader(*run, "run");
        setting.by_type = reader.flag("by_type", false);
        reader.finish();
    }
    ConfigReader workload(top.need("workload", "a table with clock, type and horizon"), "workload");
    auto const read = [&] {
        read_machine(workload, setting);
        read_types(workload, traces, setting);
        read_horizons(workload, setting);
        check_load(workload, setting);
    };
    workload.read_parts({read}, {"type", "horizon", "doublings", "accept_unstable"});
    auto const& list = top.tables("policy", "at least one [[policy]] with an id");
    for (std::size_t k = 0; k < list.size(); ++k)
        setting.policies.push_back(read_iteration_policy(list[k], k, setting));
    return setting;
}

IterationCell IterationSetting::cell(IterationPolicyEntry const& entry) const
{
    IterationCell cell;
    cell.time = time;
    cell.types = load.types;
    cell.arrivals = arrivals;
    cell.policy = entry.spec;
    cell.seed = seed;
    cell.measures = measures;
    for (auto const seconds : horizons())
        cell.checkpoints.push_back(static_cast<Nanoseconds>(std::llround(seconds * 1e9)));
    return cell;
}

namespace {

/// Raised whenever a path of the same setting comes to be other numbers.
constexpr int rules = 2;

nlohmann::json policy_identity(IterationPolicyEntry const& entry)
{
    auto const& spec = entry.spec;
    nlohmann::json out{{"id", entry.id}, {"memory", spec.memory}};
    if (spec.hard) out["hard"] = true;
    if (spec.limit > 0) out["limit"] = spec.limit;
    if (spec.budget > 0) out["budget"] = spec.budget;
    if (spec.keep_tokens) out["keep_tokens"] = true;
    for (auto const& group : spec.thresholds.groups)
        out["groups"].push_back({group.prompt, group.first_segment, group.segments});
    for (auto const& segment : spec.thresholds.segments)
        out["segments"].push_back({segment.first, segment.last, segment.threshold});
    return out;
}

} // namespace

std::string IterationSetting::identity() const
{
    nlohmann::json workload{{"clock", {time.overhead, time.per_token}}, {"arrivals", "poisson"}};
    for (auto const& type : load.types) workload["types"].push_back({type.prompt, type.output});
    for (auto const& of_slice : rate) workload["rates"].push_back(of_slice);
    if (slice > 0) workload["slice"] = arrivals.slice_length;
    for (auto const seconds : horizons())
        workload["horizons"].push_back(std::llround(seconds * 1e9));
    nlohmann::json out{
        {"model", "iterations"}, {"rules", rules}, {"seed", seed}, {"workload", workload}};
    if (by_type) out["by_type"] = true;
    if (measures.any()) out["measures"] = measures_identity(measures);
    for (auto const& entry : policies) out["policies"].push_back(policy_identity(entry));
    return out.dump();
}

} // namespace crx
