#pragma once

#include "host/experiment/policy_list.hh"
#include "host/input/config_reader.hh"
#include "kernels/engines/cell.hh"

namespace crx {

/// Which engine an experiment asks for: `[run] engine`.
struct EngineChoice
{
    enum class Rule
    {
        automatic, ///< cohorts where they can run the policy and are the cheaper
        request,
        cohort ///< a cell with a policy that cohorts cannot run is refused
    };
    Rule rule = Rule::automatic;
    std::string where; ///< place of the key in the file
};

/// Reads [run]; may be absent. Throws InputError.
EngineChoice read_engine_choice(ConfigReader& top);

/// The law of randomness of each of the cell's policies, and with it which engines may run it.
/// Throws ConfigError where `cohort` cannot be had; `at` names the cell.
std::vector<RandomLaw> choose_laws(EngineChoice const& choice, Cell const& cell,
                                   std::vector<PolicyPlan> const& policies, std::string const& at);

} // namespace crx
