#pragma once

#include "kernels/engines/list_schedule/list_schedule.hh"
#include "kernels/engines/requests/request_engine.cuh"
#include "kernels/random/buffered_words.hh"

#include <algorithm>

namespace crx {

/// Whether a policy serves in an order that is fixed at the start, and never cancels.
template <class P>
inline constexpr bool serves_in_order = P::admission == Admission::look_ahead&& P::choice ==
                                        Choice::ranked&& P::cancelling == Cancelling::never;

/// Whether a policy plans with true lengths whatever interval it is told.
template <class P>
bool plans_true_lengths(P const& policy)
{
    return policy.first_length(RequestView{0, 0, 2, 1, 3}) == 2;
}

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

/// execute_policy on the CPU without stepping through rounds: the same integers. Of the log starts
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

} // namespace crx
