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
};

struct FoundSchedule
{
    Starts starts;
    Rounds total_latency = 0;
    std::int64_t evaluations = 0;
};

/// The baseline `best-found` of SPEC section 5: local search over orders, each scheduled by
/// ListSchedule, from the schedule of mc-sf (so it is never worse) and from the orders of o, s + o
/// and volume. Moves: one request to another place, two requests exchanged, and one request
/// released later or at once, which staggers starts on purpose. Worse schedules are taken with
/// falling probability (simulated annealing, Kirkpatrick, Gelatt and Vecchi 1983), and the search
/// restarts from the best. The result has passed schedule_fault. Contract: every request fits, M <=
/// 32767.
FoundSchedule local_search(OwnedInstance const& instance, SearchLimits const& limits);

/// Does the search's working memory fit in `bytes`? It grows with n and the sum of o.
bool local_search_fits(OwnedInstance const& instance, std::size_t bytes);

} // namespace crx::baseline
