#pragma once

#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/sorted_lp/sorted_lp_order.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/policy_parameters.hh"

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
    std::optional<sorted_lp::Rule> by_program; ///< likewise
    std::optional<std::string> own_digest;     ///< of own-order, likewise

    bool orders_beforehand() const { return sorted_f || by_program || own_digest; }
};

/// WANG's Sorted-F orders requests before the first round, so it is no policy of the engines. Nor
/// are Sorted-LP and LP-Swap (sorted_lp::rule_ids).
inline constexpr char const* sorted_f_id = "sorted-f";
/// Whether a policy of this id orders requests beforehand, on the CPU.
bool orders_beforehand(std::string const& id);

/// Names of its selectors, for messages and help.
std::vector<std::string> selector_ids();

/// Reads all [[policy]]. Throws InputError.
std::vector<PolicyPlan> read_policies(ConfigReader& top);

/// Ids of every policy that an experiment or `simulate` can name, for messages and help.
std::vector<std::string> policy_ids();

} // namespace crx
