#pragma once

#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "kernels/policies/threshold.cuh"

namespace crx {

/// What the outside needs to know of a policy.
struct PolicyInfo
{
    PolicyKind kind;
    char const* id;        ///< as in SPEC section 4
    char const* summary;   ///< one line for --help
    bool plans_with_upper; ///< needs s + u <= M
    bool takes_levels;     ///< parameter `levels`
    bool takes_alpha = false;
    bool takes_beta = false; ///< and the parameter `round_cap`
};

/// Every policy: one line each. docs/adding.md.
inline constexpr PolicyInfo policy_table[] = {
    {PolicyKind::mc_sf, "mc-sf", "shortest output first, true lengths (H-SF)", false, false},
    {PolicyKind::mc_sf_total, "mc-sf-total", "shortest prompt + output first, true lengths", false,
     false},
    {PolicyKind::mc_benchmark, "mc-benchmark", "order of arrival, true lengths", false, false},
    {PolicyKind::a_random, "a-random", "one uniformly random order, true lengths", false, false},
    {PolicyKind::a_max, "a-max", "plans with the upper end u, never cancels", true, false},
    {PolicyKind::a_min, "a-min", "plans with the lower end l, learns by cancelling", false, false},
    {PolicyKind::a_min_evict, "a-min-evict", "a-min with outlived requests weightless", false,
     false},
    {PolicyKind::a_ell, "a-ell", "tries l tokens, then plans with u", true, false},
    {PolicyKind::a_ladder, "a-ladder", "tries rising levels up to u", true, true},
    {PolicyKind::protect, "protect", "fills (1 - alpha) M in order of arrival, cancels all", false,
     false, true},
    {PolicyKind::clear, "clear", "as protect, cancels each with probability beta", false, false,
     true, true},
};

/// Calls visit with the policy value that `spec` names.
template <class Visit>
CRX_HD decltype(auto) with_policy(PolicySpec const& spec, Visit visit)
{
    switch (spec.kind) {
    case PolicyKind::mc_sf: return visit(ShortestFirst{});
    case PolicyKind::mc_sf_total: return visit(ShortestTotalFirst{});
    case PolicyKind::mc_benchmark: return visit(ArrivalOrder{});
    case PolicyKind::a_random: return visit(RandomOrder{});
    case PolicyKind::a_max: return visit(MaxLength{});
    case PolicyKind::a_min: return visit(MinLength{});
    case PolicyKind::a_min_evict: return visit(MinLengthEvict{});
    case PolicyKind::a_ell: return visit(PromoteLower{});
    case PolicyKind::a_ladder: return visit(Ladder{{}, spec.levels});
    case PolicyKind::protect: return visit(Protect{{}, spec.alpha});
    case PolicyKind::clear: return visit(Clear{{}, spec.alpha, spec.beta, spec.round_cap});
    }
    contract_violated("a registered policy", __FILE__, __LINE__);
}

} // namespace crx
