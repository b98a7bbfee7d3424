#include "host/experiment/engine_choice.hh"

#include "host/error.hh"
#include "kernels/engines/cohorts/cohort.hh"

namespace crx {

namespace {

/// Whether counting is the cheaper way, by measured times (docs/decisions/010-engine-by-cost.md).
///
/// Policies that start whole classes or cancel by lot gain from a few requests a length on. A
/// cohort of hidden lengths asks once for every length that may end, and a-random splits each group
/// by length, so groups must hold some requests of each.
bool is_cheaper(PolicyKind kind, Workload const& w)
{
    if (w.output_value.empty()) return true; // the law is not tabulated: only a check
    auto const lengths = static_cast<std::int64_t>(w.output_value.size());
    if (w.requests < 2 * lengths) return false;
    auto const together = w.memory / (std::int64_t{w.prompt_constant} + w.output_value.back());
    switch (kind) {
    case PolicyKind::a_max:
    case PolicyKind::a_ell:
    case PolicyKind::a_ladder: return together >= lengths;
    case PolicyKind::a_random: return together >= 4 * lengths;
    default: return true;
    }
}

} // namespace

EngineChoice read_engine_choice(ConfigReader& top)
{
    EngineChoice choice;
    auto const* table = top.find("run");
    if (table == nullptr) return choice;
    ConfigReader reader(*table, "run");
    auto const id = reader.choice("engine", {"auto", "request", "cohort"}, "auto");
    if (id == "request") choice.rule = EngineChoice::Rule::request;
    if (id == "cohort") choice.rule = EngineChoice::Rule::cohort;
    if (auto const* value = reader.find("engine")) choice.where = value->where;
    reader.finish();
    return choice;
}

std::vector<EngineKind> choose_engines(EngineChoice const& choice, Cell const& cell,
                                       std::vector<PolicyPlan> const& policies,
                                       std::string const& at)
{
    std::vector<EngineKind> engines(cell.policies.size(), EngineKind::request);
    if (choice.rule == EngineChoice::Rule::request) return engines;
    auto const& w = cell.workload;
    for (std::size_t k = 0; k < engines.size(); ++k) {
        auto const refusal =
            order_of(cell, k) != nullptr     ? "the policy orders requests one by one beforehand"
            : cell.host_baselines != nullptr ? "baselines that search for schedules name requests"
            : cell.source != nullptr         ? "n or M differs from instance to instance"
                                             : cohort_refusal(cell.policies[k], view_of(w));
        if (refusal.empty()) {
            if (choice.rule == EngineChoice::Rule::cohort || is_cheaper(cell.policies[k].kind, w))
                engines[k] = EngineKind::cohort;
        } else if (choice.rule == EngineChoice::Rule::cohort) {
            throw ConfigError(choice.where, "run.engine", "\"cohort\"",
                              "auto or request for policy " + policies[k].entry.label + at + ": " +
                                  refusal);
        }
    }
    return engines;
}

} // namespace crx
