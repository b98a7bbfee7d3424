#pragma once

#include "kernels/policies/registry.cuh"
#include "support/volume_first.hh"

namespace crx_test {

/// Whether the policy works off an order made at the start, so that a list schedule may serve it.
template <class P>
inline constexpr bool works_off_an_order =
    P::choice == crx::Choice::ranked && P::cancelling == crx::Cancelling::never &&
    P::admission == crx::Admission::look_ahead;

/// Calls visit with every policy of the list that does, and with one whose keys are large.
template <class... P, class Visit>
void for_each_list_policy(crx::PolicyList<P...>, Visit visit)
{
    auto const one = [&]<class Q>(Q const& policy) {
        if constexpr (works_off_an_order<Q>) visit(policy);
    };
    (one(crx::policy_with<P>({})), ...);
    one(VolumeFirst{});
}

template <class Visit>
void for_each_list_policy(Visit visit)
{
    for_each_list_policy(crx::Policies{}, visit);
}

} // namespace crx_test
