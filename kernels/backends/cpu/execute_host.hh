#pragma once

#include "kernels/engines/list_schedule/list_schedule.hh"
#include "kernels/engines/requests/execute.cuh"
#include "kernels/random/buffered_words.hh"

#include <algorithm>

namespace crx {

/// Whether the policy plans every request of this instance with its true length and all are there
/// at 0, so that it only works off its order (list_schedule.cuh).
template <class P>
bool is_list_schedule(P const& policy, Requests const& r)
{
    if constexpr (P::choice == Choice::ranked && P::cancelling == Cancelling::never) {
        bool known = !r.clock.affine();
        for (std::int64_t i = 0; i < r.n; ++i)
            known = known && r.arrival[i] == 0 &&
                    policy.first_length(view_request(r, i)) == r.output[i];
        return known;
    }
    return false;
}

/// Arena bytes that execute_on_host needs for n requests.
inline std::size_t host_engine_bytes(PolicySpec const& spec, std::int64_t n)
{
    Arena order(nullptr, 0);
    order.take<RequestId>(n);
    order.take<RankedRequest>(n);
    return std::max(engine_bytes(spec, n), order.bytes_used() + list_schedule_bytes(n));
}

/// execute_policy on the CPU: the same integers. A list schedule is made without stepping through
/// rounds, unless each event is asked for.
template <class P>
Outcome execute_on_host(P const& policy, Requests const& requests, std::uint64_t seed,
                        std::uint64_t instance, void* block, std::size_t bytes,
                        ScheduleLog const& log = {})
{
    Arena arena(block, bytes);
    BufferedWords words(seed, stream_policy + static_cast<std::uint32_t>(P::kind), instance,
                        P::random_order ? requests.n : 0);
    if (log.on_event == nullptr && log.completion == nullptr &&
        is_list_schedule(policy, requests)) {
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
    EngineOf<P> engine(policy, requests, arena);
    return engine.execute(words, log);
}

} // namespace crx
