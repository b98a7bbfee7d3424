#pragma once

#include "host/experiment/config_reader.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/expression.hh"

namespace crx {

/// A policy with its parameters as expressions.
struct PolicyPlan
{
    PolicyEntry entry;
    PolicyKind kind = PolicyKind::mc_sf;
    bool plans_with_upper = false;
    bool takes_levels = false;
    bool doubling = false;          ///< levels l, 2l, 4l, .., u of the common interval
    std::vector<Expression> levels; ///< unless doubling
    std::string where, key;         ///< of the levels
    std::optional<Expression> alpha, beta, round_cap; ///< where the policy takes them
};

/// Reads all [[policy]]. Throws InputError.
std::vector<PolicyPlan> read_policies(ConfigReader& top);

inline NumberRange round_cap_range() { return integers_in(1, 1e12); }

/// Ids of every policy, for messages and help.
std::vector<std::string> policy_ids();

} // namespace crx
