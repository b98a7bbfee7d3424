#pragma once

#include "kernels/engines/requests/request_engine.cuh"
#include "kernels/engines/requests/threshold_engine.cuh"
#include "kernels/laws/generate.cuh"
#include "kernels/model/bounds/release.cuh"
#include "kernels/model/bounds/volume.cuh"
#include "kernels/policies/registry.cuh"

#include <type_traits>

namespace crx {

/// Arrays for the requests of one instance.
CRX_HD inline Requests take_requests(Arena& arena, std::int64_t n, Tokens memory,
                                     Clock const& clock)
{
    Requests r;
    r.n = n;
    r.memory = memory;
    r.clock = clock;
    r.arrival = arena.take<Instant>(n);
    r.prompt = arena.take<std::int32_t>(n);
    r.output = arena.take<std::int32_t>(n);
    r.lower = arena.take<std::int32_t>(n);
    r.upper = arena.take<std::int32_t>(n);
    return r;
}

inline std::size_t request_bytes(std::int64_t n)
{
    return arena_bytes_of([n](Arena& arena) { take_requests(arena, n, 0, {}); });
}

/// The engine that runs a policy.
template <class P>
using EngineOf = typename std::conditional_t<P::admission == Admission::threshold,
                                             std::type_identity<ThresholdEngine<P>>,
                                             std::type_identity<RequestEngine<P>>>::type;

/// Arena bytes that any policy or bound needs for n requests.
inline std::size_t engine_bytes(PolicySpec const& spec, std::int64_t n)
{
    return with_policy(spec, [n]<class P>(P const&) { return EngineOf<P>::arena_bytes(n); });
}

/// Runs one policy on one instance. The policy's random words are a function of (seed, policy,
/// instance), so it does not matter where or after what this runs.
template <class P>
CRX_HD Outcome execute_policy(P const& policy, Requests const& requests, std::uint64_t seed,
                              std::uint64_t instance, void* block, std::size_t bytes,
                              ScheduleLog const& log = {})
{
    Arena arena(block, bytes);
    EngineOf<P> engine(policy, requests, arena);
    auto const stream = stream_policy + static_cast<std::uint32_t>(P::kind);
    return engine.execute(WordStream(seed, stream, instance), log);
}

} // namespace crx
