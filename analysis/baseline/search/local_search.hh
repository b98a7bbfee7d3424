#pragma once

#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/time_limit.hh"

#include <cstdint>

namespace crx::baseline {

struct SearchLimits
{
    std::int64_t evaluations = 200000; ///< schedules looked at
    TimeLimit limit = 1e9;             ///< whichever ends first; only `evaluations` repeats exactly
    std::uint64_t seed = 1;
    Starts known = {}; ///< a schedule to start from; empty: those of local_search's own
};

struct FoundSchedule
{
    Starts starts;
    Rounds total_latency = 0;
    std::int64_t evaluations = 0;
};

/// Local search over orders, each scheduled by OvertakingSchedule, from limits.known, or else from
/// the schedule of mc-sf and from the orders of o, s + o and volume: never worse than what it
/// starts from. Moves: one request to a place nearby, two requests exchanged, and one request no
/// longer held where limits.known has it. Worse schedules are taken with
/// falling probability (simulated annealing, Kirkpatrick, Gelatt and Vecchi 1983); runs grow
/// (GrowingRuns), each from the best so far. The result has passed schedule_fault. Contract: every
/// request fits, M <= most_search_memory; known, if not empty, is a schedule.
FoundSchedule local_search(OwnedInstance const& instance, SearchLimits const& limits);

inline constexpr Tokens most_search_memory = 1 << 30;

/// Is M small enough, and does the search's working memory fit in 2^29 bytes? It grows with the sum
/// of o and with the last arrival.
bool local_search_fits(OwnedInstance const& instance);

} // namespace crx::baseline
