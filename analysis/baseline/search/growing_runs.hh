#pragma once

#include <algorithm>
#include <cstdint>

namespace crx::baseline {

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

} // namespace crx::baseline
