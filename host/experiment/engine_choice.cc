#include "host/experiment/engine_choice.hh"

#include "host/error.hh"
#include "kernels/engines/cell.hh"

namespace crx {

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

std::vector<RandomLaw> choose_laws(EngineChoice const& choice, Cell const& cell,
                                   std::vector<PolicyPlan> const& policies, std::string const& at)
{
    std::vector<RandomLaw> laws(cell.policies.size(), RandomLaw::request);
    if (choice.rule == EngineChoice::Rule::request) return laws;
    for (std::size_t k = 0; k < laws.size(); ++k) {
        auto const& spec = cell.policies[k];
        auto const where = engine_case(cell, order_of(cell, k));
        if (choice.rule == EngineChoice::Rule::automatic) {
            if (prefers_cohorts(spec, where)) laws[k] = RandomLaw::cohort;
            continue;
        }
        laws[k] = RandomLaw::cohort;
        auto const reason =
            portable_engine(Processor::cpu, RandomLaw::cohort, spec, where).refusal(spec, where);
        if (!reason.empty())
            throw ConfigError(choice.where, "run.engine", "\"cohort\"",
                              "auto or request for policy " + policies[k].entry.label + at + ": " +
                                  reason);
    }
    return laws;
}

} // namespace crx
