#pragma once

#include "kernels/policies/traits.cuh"

#include <span>
#include <string_view>

namespace crx {

using LevelsOf = LadderLevels PolicySpec::*;
using ShareOf = ExactShare PolicySpec::*;
using CountOf = std::int64_t PolicySpec::*;

template <class... Cases>
struct ParameterCases : Cases...
{
    using Cases::operator()...;
};
template <class... Cases>
ParameterCases(Cases...) -> ParameterCases<Cases...>;

/// Calls the case of the kind of value that the parameter has, with the member that holds it. A
/// case of `auto` is that of choices, each an enumeration of its own.
template <class... Cases>
auto by_kind(PolicyParameter const& parameter, Cases... cases)
{
    return std::visit(ParameterCases{cases...}, parameter.member);
}

/// What a policy's header says of it, as a value. Files that need no more include this one and not
/// registry.cuh: they are not compiled again when a policy is added.
struct PolicyInfo
{
    PolicyKind kind;
    char const* id;           ///< as in docs/model.md#policies
    char const* summary;      ///< one line for --help
    bool knows_lengths;       ///< prediction intervals do not matter to it
    bool plans_with_upper;    ///< needs s + u <= M
    std::uint32_t parameters; ///< bit k: row k of policy_parameters
    Choice choice;
    Cancelling cancelling;
    Admission admission;
    bool random_order, sorted, cancels_all;
    bool draws_nothing; ///< its choices are a function of the requests alone
    LikeShortestFirst like_shortest_first;
    CohortForm cohort_form;
    char const* cohort_refusal; ///< where there is no form
    PolicyKind curves_of; ///< the policy whose published curves speak of this one: mostly itself

    bool takes(PolicyParameter const& parameter) const
    {
        return parameters >> (&parameter - policy_parameters) & 1;
    }
};

/// Every policy, in the order of help and tests.
std::span<PolicyInfo const> policy_table();

/// Contract: a registered policy.
PolicyInfo const& policy_info(PolicyKind kind);

/// Null where no policy has the id.
PolicyInfo const* find_policy(std::string_view id);

} // namespace crx
