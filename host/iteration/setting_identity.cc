#include "host/iteration/iteration_setting.hh"

#include <cmath>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

using Json = nlohmann::json;

/// Raised whenever a path of the same setting comes to be other numbers.
constexpr int rules = 2;

Json policy_identity(IterationPolicyEntry const& entry)
{
    auto const& spec = entry.spec;
    Json out{{"id", entry.id}, {"memory", spec.memory}};
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
    Json workload{{"clock", {time.overhead, time.per_token}}, {"arrivals", "poisson"}};
    for (auto const& type : load.types) workload["types"].push_back({type.prompt, type.output});
    for (auto const& of_slice : rate) workload["rates"].push_back(of_slice);
    if (slice > 0) workload["slice"] = arrivals.slice_length;
    for (auto const seconds : horizons())
        workload["horizons"].push_back(std::llround(seconds * 1e9));
    Json out{{"model", "iterations"}, {"rules", rules}, {"seed", seed}, {"workload", workload}};
    if (by_type) out["by_type"] = true;
    for (auto const& entry : policies) out["policies"].push_back(policy_identity(entry));
    return out.dump();
}

} // namespace crx
