#pragma once

#include "kernels/policies/traits.cuh"

#include <span>
#include <string_view>

namespace crx {

/// What a policy's header says of it, as a value. Files that need no more include this one and not
/// registry.cuh: they are not compiled again when a policy is added.
struct PolicyInfo
{
    PolicyKind kind;
    char const* id;        ///< as in docs/model.md#policies
    char const* summary;   ///< one line for --help
    bool knows_lengths;    ///< prediction intervals do not matter to it
    bool plans_with_upper; ///< needs s + u <= M
    bool takes_levels;     ///< parameter `levels`
    bool takes_alpha;
    bool takes_beta;   ///< and the parameter `round_cap`
    bool takes_learns; ///< parameter `learns`
    Choice choice;
    Cancelling cancelling;
    Admission admission;
    bool random_order, sorted, cancels_all;
    bool draws_nothing; ///< its choices are a function of the requests alone
    LikeShortestFirst like_shortest_first;
    CohortForm cohort_form;
    char const* cohort_refusal; ///< where there is no form
    PolicyLook look;
    PolicyKind curves_of; ///< the policy whose published curves speak of this one: mostly itself
};

/// Every policy, in the order of help and tests.
std::span<PolicyInfo const> policy_table();

/// Contract: a registered policy.
PolicyInfo const& policy_info(PolicyKind kind);

/// Null where no policy has the id.
PolicyInfo const* find_policy(std::string_view id);

} // namespace crx
