#pragma once

#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "kernels/policies/threshold.cuh"

namespace crx {

template <class... P>
struct PolicyList
{
};

/// Every policy, in the order of help and tests. docs/contributing.md.
using Policies = PolicyList<ShortestFirst, ShortestTotalFirst, ArrivalOrder, RandomOrder, MaxLength,
                            MinLength, MinLengthEvict, PromoteLower, Ladder, Protect, Clear, Fcfs>;

template <class Row, class P>
CRX_HD void copy_parameter(P& policy, PolicySpec const& spec)
{
    if constexpr (requires { Row::of(policy); }) Row::of(policy) = Row::of(spec);
}

template <class P, class... Rows>
CRX_HD P policy_with(PolicySpec const& spec, ParameterList<Rows...>)
{
    P policy{};
    (copy_parameter<Rows>(policy, spec), ...);
    return policy;
}

/// The policy with those parameters of `spec` that it has as members.
template <class P>
CRX_HD P policy_with(PolicySpec const& spec)
{
    return policy_with<P>(spec, PolicyParameterList{});
}

template <class Visit, class First, class... Rest>
CRX_HD decltype(auto) visit_policy(PolicyList<First, Rest...>, PolicySpec const& spec, Visit& visit)
{
    if (spec.kind == First::kind) return visit(policy_with<First>(spec));
    if constexpr (sizeof...(Rest) > 0)
        return visit_policy(PolicyList<Rest...>{}, spec, visit);
    else
        contract_violated("a registered policy", __FILE__, __LINE__);
}

/// Calls visit with the policy value that `spec` names.
template <class Visit>
CRX_HD decltype(auto) with_policy(PolicySpec const& spec, Visit visit)
{
    return visit_policy(Policies{}, spec, visit);
}

} // namespace crx
