#pragma once

#include "kernels/engines/requests/request_engine.cuh"
#include "kernels/engines/requests/threshold_engine.cuh"
#include "kernels/model/generate.cuh"
#include "kernels/model/release_bound.cuh"
#include "kernels/model/volume_bound.cuh"
#include "kernels/policies/registry.cuh"

#include <new>
#include <type_traits>
#ifndef __CUDACC__
#include "kernels/random/buffered_words.hh"
#endif

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

/// Runs one policy on one instance for so many events at most: whether it is done, and then the
/// outcome. The policy's random words are a function of (seed, policy, instance), so it does not
/// matter where or after what this runs.
template <class P>
CRX_HD bool execute_policy_within(std::int64_t events, P const& policy, Requests const& requests,
                                  std::uint64_t seed, std::uint64_t instance, void* block,
                                  std::size_t bytes, ScheduleLog const& log, Outcome& outcome)
{
    Arena arena(block, bytes);
    EngineOf<P> engine(policy, requests, arena);
    WordStream words(seed, stream_policy + static_cast<std::uint32_t>(P::kind), instance);
    engine.begin(words, log);
    if (!engine.advance(words, log, events)) return false;
    outcome = engine.outcome();
    return true;
}

/// What is kept of an instance from one slice to the next, besides the engine's arrays.
template <class Engine>
struct KeptRun
{
    Engine engine;
    WordStream words;
};

/// execute_policy_within in slices of so many events, at least 1: the same integers, whatever the
/// slices (docs/decisions/130-long-instances-in-slices.md). The first call `begins`; the others
/// find the block as the one before left it. Whether the instance is done, and then the outcome.
/// The engine stays in the block: a copy of it would fill a thread's registers. Contract: a block
/// of sliced_bytes.
template <class P>
CRX_HD bool execute_slice(bool begins, std::int64_t events, P const& policy,
                          Requests const& requests, std::uint64_t seed, std::uint64_t instance,
                          void* block, std::size_t bytes, Outcome& outcome)
{
    using Kept = KeptRun<EngineOf<P>>;
    static_assert(std::is_trivially_copyable_v<Kept>);
    Arena arena(block, bytes);
    auto* const kept = arena.take<Kept>(1);
    ScheduleLog const log;
    if (begins) {
        auto const stream = stream_policy + static_cast<std::uint32_t>(P::kind);
        new (kept) Kept{EngineOf<P>(policy, requests, arena), WordStream(seed, stream, instance)};
        kept->engine.begin(kept->words, log);
    }
    if (!kept->engine.advance(kept->words, log, events)) return false;
    outcome = kept->engine.outcome();
    return true;
}

/// Arena bytes of execute_slice for n requests.
inline std::size_t sliced_bytes(PolicySpec const& spec, std::int64_t n)
{
    return with_policy(spec, [n]<class P>(P const&) {
        return EngineOf<P>::arena_bytes(n) +
               arena_bytes_of([](Arena& arena) { arena.take<KeptRun<EngineOf<P>>>(1); });
    });
}

#ifndef __CUDACC__
/// Runs one policy on one instance on the CPU: the integers of execute_policy_within, with random
/// words made many at a time.
template <class P>
Outcome execute_requests(P const& policy, Requests const& requests, std::uint64_t seed,
                         std::uint64_t instance, Arena& arena, ScheduleLog const& log = {})
{
    BufferedWords words(seed, stream_policy + static_cast<std::uint32_t>(P::kind), instance,
                        P::random_order ? requests.n : 0);
    EngineOf<P> engine(policy, requests, arena);
    return engine.execute(words, log);
}
#endif

} // namespace crx
