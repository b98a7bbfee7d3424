#pragma once

#include "kernels/engines/requests/execute.cuh"

namespace crx_test {

/// Runs one policy on one instance to its end, as a thread of a GPU does in one slice.
template <class P>
crx::Outcome execute_policy(P const& policy, crx::Requests const& requests, std::uint64_t seed,
                            std::uint64_t instance, void* block, std::size_t bytes,
                            crx::ScheduleLog const& log = {})
{
    crx::Outcome outcome;
    crx::execute_policy_within(INT64_MAX, policy, requests, seed, instance, block, bytes, log,
                               outcome);
    return outcome;
}

} // namespace crx_test
