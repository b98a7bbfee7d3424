#pragma once

#include "kernels/engines/list_schedule/execute_list.hh"
#include "kernels/engines/requests/execute_host.hh"

#include <algorithm>

namespace crx {

/// Arena bytes that execute_on_host needs for n requests.
inline std::size_t host_engine_bytes(PolicySpec const& spec, std::int64_t n)
{
    return std::max(engine_bytes(spec, n), execute_list_bytes(n));
}

/// One instance outside of a sweep, request by request: the integers of execute_policy. An order
/// that is known beforehand is worked off without stepping through rounds, unless each event is
/// asked for.
template <class P>
Outcome execute_on_host(P const& policy, Requests const& requests, std::uint64_t seed,
                        std::uint64_t instance, void* block, std::size_t bytes,
                        ScheduleLog const& log = {})
{
    Arena arena(block, bytes);
    if (log.on_event == nullptr && log.completion == nullptr && is_list_schedule(policy, requests))
        return execute_list(policy, requests, seed, instance, arena, log);
    return execute_requests(policy, requests, seed, instance, arena, log);
}

} // namespace crx
