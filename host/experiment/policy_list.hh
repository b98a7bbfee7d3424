#pragma once

#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/sorted_lp/sorted_lp_order.hh"
#include "host/experiment/by_key_policy.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/policy_parameters.hh"
#include "host/experiment/program_policy.hh"

namespace crx {

/// A policy with its parameters as expressions.
struct PolicyPlan
{
    PolicyEntry entry;
    PolicyKind kind = {};
    bool plans_with_upper = false;
    std::vector<ParameterPlan> parameters;
    std::string where, key; ///< of one that orders requests beforehand, for messages
    /// Of sorted-f, which orders requests beforehand; its kind is then mc_benchmark, the prefix
    /// rule in a given order.
    std::optional<sorted_f::Settings> sorted_f;
    std::optional<sorted_lp::Rule> by_program;    ///< likewise
    std::optional<std::string> own_digest;        ///< of own-order, likewise, and of own-decisions
    std::optional<ByKeyPlan> by_key;              ///< likewise, but not beforehand
    std::shared_ptr<ProgramPolicy const> program; ///< likewise
    bool reads_interval = false;                  ///< plans with it, or is told no true lengths

    bool runs_by_itself() const
    {
        return sorted_f || by_program || own_digest || by_key || program != nullptr;
    }
    /// Whether all requests must be there at 0.
    bool orders_beforehand() const
    {
        return runs_by_itself() && !by_key && program == nullptr && entry.id != "own-decisions";
    }
};

/// WANG's Sorted-F orders requests before the first round, so it is no policy of the engines. Nor
/// are Sorted-LP and LP-Swap (sorted_lp::rule_ids).
inline constexpr char const* sorted_f_id = "sorted-f";
/// Whether a policy of this id runs by itself, on the CPU.
bool runs_by_itself(std::string const& id);

/// Names of its selectors, for messages and help.
std::vector<std::string> selector_ids();

/// Reads all [[policy]]; files that a command names start in `folder`. Throws InputError.
std::vector<PolicyPlan> read_policies(ConfigReader& top, std::filesystem::path const& folder);

/// Refuses a label that is empty or that a spreadsheet would take for a formula.
void check_label(ConfigReader& reader, std::string const& label);

/// Ids of every policy that an experiment or `simulate` can name, for messages and help.
std::vector<std::string> policy_ids();

} // namespace crx
