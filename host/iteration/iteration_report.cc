#include "host/iteration/iteration_report.hh"

#include "analysis/fluid/critical_load.hh"
#include "host/iteration/type_blind_report.hh"

#include <cmath>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

/// What is NaN becomes null.
Json mean_json(fluid::PathMean const& m)
{
    return {{"mean", m.mean}, {"half_width", m.half_width}};
}
Json exponent_json(fluid::Exponent const& e)
{
    if (!std::isfinite(e.value)) return nullptr;
    return {{"value", e.value}, {"half_width", e.half_width}};
}

/// theta of (16) for each segment but the first, of a group whose thresholds begin at `n`.
Json thetas(fluid::NestedLoad const& group, std::int64_t const* n)
{
    Json out = Json::array();
    for (std::size_t i = 0; i + 1 < group.ends.size(); ++i) {
        auto const p = group.passing[i];
        auto const bounded = static_cast<double>(n[i + 1]) > static_cast<double>(n[i]) * p;
        auto const theta = bounded ? fluid::decay_rate(n[i], n[i + 1], p) : std::nan("");
        out.push_back(std::isinf(theta) ? Json("infinite") : bounded ? Json(theta) : Json(nullptr));
    }
    return out;
}

Json policy_theory(IterationExperiment const& experiment, IterationPolicyEntry const& entry)
{
    Json out = {{"policy", entry.label}, {"id", entry.id}};
    if (has_thresholds(entry.spec.kind)) {
        auto const batch = experiment.time.of(entry.batch_tokens);
        out["thresholds"] = entry.thresholds;
        out["batch_tokens"] = entry.batch_tokens;
        out["batch_seconds"] = static_cast<double>(batch) * 1e-9;
        out["broken_condition"] = entry.broken.empty() ? Json(nullptr) : Json(entry.broken);
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
                out["groups"].push_back(
                    {{"prompt", group.prompt},
                     {"ends", group.ends},
                     {"thresholds", Json(std::vector<std::int64_t>(n, n + group.ends.size()))},
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

Json types_json(std::vector<fluid::TypePoint> const& points)
{
    Json out = Json::array();
    for (auto const& p : points) // of no prompt there is no mean, which is null
        out.push_back({{"arrivals", p.arrivals},
                       {"completed", p.completed},
                       {"latency", mean_json(p.latency)},
                       {"ttft", mean_json(p.first_token)}});
    return out;
}

Json theory(IterationExperiment const& experiment)
{
    Json out = {{"title", experiment.title}, {"utilisation", fluid::utilisation(experiment.load)}};
    if (fluid::utilisation(experiment.load) < 1) {
        auto const e = fluid::equilibrium(experiment.load);
        out["iteration_seconds"] = e.iteration;
        out["memory"] = e.memory;
        out["throughput"] = e.throughput;
        out["throughput_as_in_8"] = e.throughput_as_in_8;
        auto const critical = fluid::critical_load(experiment.load);
        out["at_fluid_memory"] = {{"latency_per_root_second", critical.latency(1)},
                                  {"gap_times_root_second", critical.gap(1)}};
    }
    if (experiment.by_type)
        for (std::size_t j = 0; j < experiment.load.types.size(); ++j)
            out["types"].push_back({{"prompt", experiment.load.types[j].prompt},
                                    {"output", experiment.load.types[j].output},
                                    {"rate", experiment.load.rate[j]}});
    out["policies"] = Json::array();
    for (auto const& entry : experiment.policies)
        out["policies"].push_back(policy_theory(experiment, entry));
    return out;
}

} // namespace

std::string fluid_json(IterationExperiment const& experiment, Tokens type_blind)
{
    auto out = theory(experiment);
    if (type_blind > 0) out["type_blind"] = type_blind_json(experiment, type_blind);
    return out.dump(2) + "\n";
}

std::string fluid_text(IterationExperiment const& experiment, Tokens type_blind)
{
    auto const d = fluid::utilisation(experiment.load);
    auto out = fmt::format("utilisation D        {:.8g}{}\n", d, d < 1 ? "" : " (unstable)");
    if (d < 1) {
        auto const e = fluid::equilibrium(experiment.load);
        out += fmt::format("iteration            {:.8g} s\n", e.iteration);
        out += fmt::format("memory M*            {:.8g} tokens\n", e.memory);
        out +=
            fmt::format("throughput           {:.8g} decode tokens/s ({:.8g} as AO (8) counts)\n",
                        e.throughput, e.throughput_as_in_8);
        auto const critical = fluid::critical_load(experiment.load);
        out += fmt::format("at C = M*, any policy latency at least {:.6g} sqrt(t) s, gap at least "
                           "{:.6g} / sqrt(t) tokens/s, as means for long t\n",
                           critical.latency(1), critical.gap(1));
    }
    if (type_blind > 0) out += type_blind_text(experiment, type_blind);
    for (auto const& entry : experiment.policies) {
        out += fmt::format("{}\n", entry.label);
        if (has_thresholds(entry.spec.kind))
            out +=
                fmt::format("  thresholds         {}\n  full batch         {} tokens, {:.8g} s\n",
                            fmt::join(entry.thresholds, " "), entry.batch_tokens,
                            static_cast<double>(experiment.time.of(entry.batch_tokens)) * 1e-9);
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

std::string iteration_csv(IterationExperiment const& experiment,
                          std::vector<fluid::HeavyTrafficCurve> const& curves)
{
    std::string out =
        "policy,zeta,horizon_s,paths,gap,gap_half_width,gap_as_in_8,gap_as_in_8_half_width,"
        "throughput,throughput_half_width,latency_s,latency_half_width,ttft_s,ttft_half_width,"
        "peak_memory,peak_memory_half_width,largest_memory,capacity,overflow_paths,overflow_low,"
        "overflow_high,iterations,cancelled\n";
    for (std::size_t k = 0; k < curves.size(); ++k) {
        auto const& entry = experiment.policies[k];
        for (std::size_t z = 0; z < curves[k].points.size(); ++z) {
            auto const& p = curves[k].points[z];
            out += fmt::format("{},{},{:.10g},{}", csv_text(entry.label),
                               std::ldexp(1.0, static_cast<int>(z)), p.horizon, p.overflow.of);
            for (auto const& m :
                 {p.gap, p.gap_as_in_8, p.throughput, p.latency, p.first_token, p.peak_memory})
                out += mean_fields(m);
            out += fmt::format(",{},", p.largest_memory);
            if (entry.spec.memory > 0)
                out += fmt::format("{},{},{:.6g},{:.6g}", entry.spec.memory, p.overflow.count,
                                   p.overflow.low, p.overflow.high);
            else // no capacity that could be passed
                out += ",,,";
            out += fmt::format(",{:.8g},{:.8g}\n", p.iterations, p.cancelled);
        }
    }
    return out;
}

std::string iteration_json(IterationExperiment const& experiment,
                           std::vector<fluid::HeavyTrafficCurve> const& curves,
                           std::vector<TypeCurve> const& types)
{
    auto out = theory(experiment);
    out["seed"] = experiment.seed;
    out["paths"] = experiment.paths;
    out["confidence"] = experiment.confidence;
    for (std::size_t k = 0; k < curves.size(); ++k) {
        auto& policy = out["policies"][k];
        policy["exponents"] = {{"gap", exponent_json(curves[k].gap)},
                               {"latency", exponent_json(curves[k].latency)},
                               {"ttft", exponent_json(curves[k].first_token)},
                               {"peak_memory", exponent_json(curves[k].peak_memory)}};
        policy["points"] = Json::array();
        for (std::size_t z = 0; z < curves[k].points.size(); ++z) {
            auto const& p = curves[k].points[z];
            auto const if_limited = [&](Json value) {
                return experiment.policies[k].spec.memory > 0 ? value : Json(nullptr);
            };
            policy["points"].push_back({{"horizon", p.horizon},
                                        {"gap", mean_json(p.gap)},
                                        {"gap_as_in_8", mean_json(p.gap_as_in_8)},
                                        {"throughput", mean_json(p.throughput)},
                                        {"latency", mean_json(p.latency)},
                                        {"ttft", mean_json(p.first_token)},
                                        {"peak_memory", mean_json(p.peak_memory)},
                                        {"largest_memory", p.largest_memory},
                                        {"overflow_paths", if_limited(p.overflow.count)},
                                        {"overflow_low", if_limited(p.overflow.low)},
                                        {"overflow_high", if_limited(p.overflow.high)},
                                        {"iterations", p.iterations},
                                        {"cancelled", p.cancelled}});
            if (!types.empty()) policy["points"].back()["types"] = types_json(types[k][z]);
        }
    }
    return out.dump(2) + "\n";
}

namespace {

std::string exponent_text(fluid::Exponent const& e)
{
    if (!std::isfinite(e.value)) return "none";
    if (!std::isfinite(e.half_width)) return fmt::format("{:.3f}", e.value);
    return fmt::format("{:.3f} +- {:.3f}", e.value, e.half_width);
}

} // namespace

std::string exponents_text(IterationExperiment const& experiment,
                           std::vector<fluid::HeavyTrafficCurve> const& curves)
{
    auto out = fmt::format("exponents from zeta = 2^{} to 2^{}, {} paths, {:g} % intervals\n",
                           experiment.fit_from, experiment.doublings, experiment.paths,
                           100 * experiment.confidence);
    out += fmt::format("{:<28} {:>16} {:>16} {:>16} {:>16}\n", "policy", "gap", "latency", "ttft",
                       "peak memory");
    for (std::size_t k = 0; k < curves.size(); ++k) {
        out += fmt::format("{:<28}", experiment.policies[k].label);
        for (auto const& e :
             {curves[k].gap, curves[k].latency, curves[k].first_token, curves[k].peak_memory})
            out += fmt::format(" {:>16}", exponent_text(e));
        out += "\n";
    }
    return out;
}

} // namespace crx
