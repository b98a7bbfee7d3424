#pragma once

#include "kernels/cpu/single.hh"

namespace crx {

/// A run of a request that was cancelled.
struct CancelledRun
{
    std::size_t request;
    Instant start, end;
    bool operator==(CancelledRun const&) const = default;
};

/// The cancelled runs of an instance under a policy, in the order of their ends: the instance is
/// run once more and what changes from event to event is written down. It can lack runs of requests
/// that are cancelled several times in one event, cycles that an engine passes at once, and all of
/// `clear`, whose engine does not say when each ended; `attempts_left_out` counts what it lacks.
/// Contract: as execute_single.
std::vector<CancelledRun> cancelled_runs(PolicySpec const& spec, OwnedInstance const& instance,
                                         std::uint64_t seed, std::int64_t number);

/// Requests of an instance beyond which looking for those that start takes too long.
constexpr std::int64_t most_requests_with_attempts = 20'000;

} // namespace crx
