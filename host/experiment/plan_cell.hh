#pragma once

#include "analysis/baseline/hindsight_baselines.hh"
#include "host/experiment/policy_list.hh"
#include "host/input/config_reader.hh"
#include "kernels/engines/cell.hh"

#include <string>
#include <vector>

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

/// What an experiment divides by, and how hard it tries to know it.
struct BaselinePlan
{
    std::vector<std::string> ids; ///< of baseline_names, as the file lists them
    baseline::HindsightEffort effort;
    std::string where;    ///< file and line, for messages
    bool in_file = false; ///< else `ids` are the usual ones

    bool has(BaselineKind kind) const;
    /// Those that the host makes beside the engines.
    std::vector<BaselineKind> of_host() const;
};

/// Reads [baselines] of a document. Throws InputError.
BaselinePlan read_baselines(ConfigReader& top);

} // namespace crx
