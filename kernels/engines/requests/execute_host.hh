#pragma once

#include "kernels/engines/requests/execute.cuh"
#include "kernels/random/buffered_words.hh"

namespace crx {

/// execute_policy on the CPU: the same integers, with random words made many at a time.
template <class P>
Outcome execute_requests(P const& policy, Requests const& requests, std::uint64_t seed,
                         std::uint64_t instance, Arena& arena, ScheduleLog const& log = {})
{
    BufferedWords words(seed, stream_policy + static_cast<std::uint32_t>(P::kind), instance,
                        P::random_order ? requests.n : 0);
    EngineOf<P> engine(policy, requests, arena);
    return engine.execute(words, log);
}

} // namespace crx
