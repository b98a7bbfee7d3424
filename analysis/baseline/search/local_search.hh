#pragma once

#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/time_limit.hh"

#include <algorithm>
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

/// How the runs of a search share `total` schedules: the first about `least` (at least that, where
/// total is), each later one as many as all before it, so the last half of total. A search that
/// cools over each run can then be cut at any time: once the first run is over, half of what it
/// has looked at, or more, was in runs that ended cold. Contract: total >= 1, least >= 1.
class GrowingRuns
{
  public:
    GrowingRuns(std::int64_t total, std::int64_t least) : total_(total)
    {
        while (total >> (doublings_ + 1) >= least) ++doublings_;
    }
    int runs() const { return doublings_ + 1; }
    /// Schedules of run k, 0 <= k < runs(). Their sum is total but for at most a schedule a run.
    std::int64_t length(int k) const { return total_ >> std::min(doublings_, doublings_ + 1 - k); }

  private:
    std::int64_t total_;
    int doublings_ = 0;
};

/// Local search over orders, each scheduled by OvertakingSchedule, from the schedule of mc-sf and
/// from the orders of o, s + o and volume: never worse than what it starts from. Moves: one request
/// to a place nearby, two requests exchanged, and one request no longer held where mc-sf has it.
/// Worse schedules are taken with falling probability (simulated annealing, Kirkpatrick, Gelatt and
/// Vecchi 1983); runs grow (GrowingRuns), each from the best so far. The result has passed
/// schedule_fault. Contract: every request fits, M <= most_search_memory.
FoundSchedule local_search(OwnedInstance const& instance, SearchLimits const& limits);

inline constexpr Tokens most_search_memory = 1 << 30;

/// Is M small enough, and does the search's working memory fit in 2^29 bytes? It grows with the sum
/// of o and with the last arrival.
bool local_search_fits(OwnedInstance const& instance);

} // namespace crx::baseline
