#include "host/experiment/cell_identity.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/experiment/measure_plan.hh"
#include "host/experiment/policy_parameters.hh"
#include "kernels/engines/cohorts/cohort.hh"

#include <nlohmann/json.hpp>

namespace crx {

namespace {

using nlohmann::json;

json number(double x)
{
    return x == std::floor(x) && std::abs(x) < 0x1p53 ? json(static_cast<std::int64_t>(x))
                                                      : json(x);
}

json law_of(std::string const& id, LawValues const& values)
{
    json out{{"law", id}};
    for (auto const& [name, value] : values) out[name] = number(value);
    return out;
}

char const* order_name(TraceOrder order)
{
    switch (order) {
    case TraceOrder::sampled: return "sampled";
    case TraceOrder::in_order: return "in-order";
    case TraceOrder::window: break;
    }
    return "window";
}

template <class Names>
json object_of(Names const& names)
{
    json out = json::object();
    for (auto const& [name, value] : names) out[name] = value;
    return out;
}

json output_of(Cell const& cell, LengthsIdentity const& lengths)
{
    if (cell.source != nullptr) return object_of(cell.source->identity());
    auto const& w = cell.workload;
    switch (w.output_kind) {
    case OutputKind::table: break;
    case OutputKind::composition:
        return {{"law", "composition"}, {"values", w.output_value}, {"counts", w.output_count}};
    case OutputKind::trace:
        return {{"law", "trace"},
                {"order", order_name(w.trace_order)},
                {"rows", lengths.trace_hashes},
                {"ends", w.source_end},
                {"counts", w.source_count}};
    }
    auto law = law_of(lengths.output_law, lengths.output);
    if (all_by_cohorts(cell)) law["drawn"] = "counts";
    return law;
}

json prompt_of(Workload const& w, LengthsIdentity const& lengths)
{
    switch (w.prompt_kind) {
    case PromptKind::constant: return w.prompt_constant;
    case PromptKind::table: return law_of(lengths.prompt_law, lengths.prompt);
    case PromptKind::trace: break;
    }
    return "trace";
}

json interval_of(IntervalRule const& rule)
{
    switch (rule.kind) {
    case IntervalKind::exact: break;
    case IntervalKind::common:
        return {{"rule", "common"}, {"lower", rule.lower}, {"upper", rule.upper}};
    case IntervalKind::buckets: return {{"rule", "buckets"}, {"width", rule.width}};
    case IntervalKind::relative:
        return {{"rule", "relative"}, {"x", {rule.numerator, rule.denominator}}};
    }
    return {{"rule", "exact"}};
}

json arrivals_of(Workload const& w, LengthsIdentity const& lengths)
{
    switch (w.arrival_kind) {
    case ArrivalKind::at_zero: break;
    case ArrivalKind::poisson_rounds:
        return {{"law", "poisson-rounds"}, {"rate", number(lengths.arrival_rate)}};
    case ArrivalKind::poisson: {
        json steps = json::array();
        for (auto const& step : w.rate_step) steps.push_back({step.duration, step.rate});
        json arrivals{{"law", "poisson"}, {"steps", steps}, {"repeat", w.rate_repeats}};
        if (!w.gap_end.empty()) {
            arrivals["law"] = "gamma";
            arrivals["gap_cv"] = lengths.gap_cv;
        }
        return arrivals;
    }
    case ArrivalKind::trace:
        return {{"law", "trace"}, {"times", lengths.time_hash}, {"speed", lengths.speed}};
    }
    return {};
}

} // namespace

std::string cell_identity(Cell const& cell, LengthsIdentity const& lengths)
{
    auto const& w = cell.workload;
    json policies = json::array();
    for (std::size_t k = 0; k < cell.policies.size(); ++k) {
        auto const& spec = cell.policies[k];
        json policy;
        if (auto const* const offline = order_of(cell, k)) {
            for (auto const& [name, value] : offline->identity()) policy[name] = value;
            policies.push_back(policy);
            continue;
        }
        policy["id"] = policy_info(spec.kind).id;
        add_parameters(policy, spec);
        // Equal in law is not equal: a policy that draws has a name. Policies that draw nothing
        // give the same.
        auto const rule = law_of(cell, k) == RandomLaw::cohort ? cohort_draw_rule(spec.kind) : 0;
        if (rule > 0) policy["engine"] = "cohort " + std::to_string(rule);
        policies.push_back(policy);
    }
    json baselines = json::array();
    for (auto const& name : baseline_names)
        if (cell.baseline[static_cast<int>(name.kind)]) baselines.push_back(name.id);
    json identity{{"baselines", baselines},
                  {"policies", policies},
                  {"seed", w.seed},
                  {"workload",
                   {{"requests", w.requests},
                    {"memory", w.memory},
                    {"output", output_of(cell, lengths)},
                    {"prompt", prompt_of(w, lengths)},
                    {"interval", interval_of(w.interval)}}}};
    // Left out where they are as they have always been: identities of older stores hold.
    if (cell.host_baselines != nullptr)
        if (auto const effort = object_of(cell.host_baselines->identity()); !effort.empty())
            identity["effort"] = effort;
    if (cell.measures.any()) identity["measures"] = measures_identity(cell.measures);
    if (w.arrival_kind != ArrivalKind::at_zero)
        identity["workload"]["arrivals"] = arrivals_of(w, lengths);
    if (w.clock.affine()) {
        identity["workload"]["clock"] = {w.clock.d0, w.clock.d1, w.clock.d2};
        if (w.clock.d3 > 0) identity["workload"]["clock"].push_back(w.clock.d3);
    }
    return identity.dump();
}

} // namespace crx
