#pragma once

#include "kernels/engines/lists/list_schedule.hh"
#include "kernels/engines/requests/execute.cuh"
#include "kernels/model/requests.cuh"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace crx {

/// The prefix rule with true lengths in any given order: order[0] is served first. Contract: every
/// arrival is 0, every request fits, `order` holds each index once.
Outcome execute_in_order(Requests const& requests, std::vector<std::size_t> const& order,
                         ScheduleLog const& log = {});

/// Whether the policy plans every request of this instance with its true length and all are there
/// at 0, so that it only works off its order (list_schedule.cuh).
template <class P>
bool is_list_schedule(P const& policy, Requests const& r)
{
    if constexpr (serves_in_order<P>) {
        bool known = !r.clock.affine();
        for (std::int64_t i = 0; i < r.n; ++i)
            known = known && r.arrival[i] == 0 &&
                    policy.first_length(view_request(r, i)) == r.output[i];
        return known;
    }
    return false;
}

/// Arena bytes of execute_list for n requests.
inline std::size_t execute_list_bytes(std::int64_t n)
{
    Arena order(nullptr, 0);
    order.take<RequestId>(n);
    order.take<RankedRequest>(n);
    return order.bytes_used() + list_schedule_bytes(n);
}

/// execute_requests without stepping through rounds: the same integers. Of the log starts
/// and cancellations are written. Contract: is_list_schedule.
template <class P>
Outcome execute_list(P const& policy, Requests const& requests, std::uint64_t seed,
                     std::uint64_t instance, Arena& arena, ScheduleLog const& log = {})
{
    BufferedWords words(seed, stream_policy + static_cast<std::uint32_t>(P::kind), instance,
                        P::random_order ? requests.n : 0);
    auto* const order = arena.take<RequestId>(requests.n);
    auto* const scratch = arena.take<RankedRequest>(requests.n);
    make_order(policy, requests, words, scratch, order);
    if (log.cancellations != nullptr) std::fill_n(log.cancellations, requests.n, 0);
    auto outcome = schedule_list(requests, order, log.start, arena);
    outcome.first_token_latency = outcome.total_latency; // o - 1 rounds before completion
    for (std::int64_t i = 0; i < requests.n; ++i)
        outcome.first_token_latency -= requests.output[i] - 1;
    return outcome;
}

/// Arena bytes that execute_on_host needs for n requests.
inline std::size_t host_engine_bytes(PolicySpec const& spec, std::int64_t n)
{
    return std::max(engine_bytes(spec, n), execute_list_bytes(n));
}

/// One instance outside of a sweep, request by request: the integers of execute_requests. An order
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
