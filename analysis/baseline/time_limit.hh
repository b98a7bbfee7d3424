#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace crx::baseline {

/// When a solver or a search is to end before it is done: some seconds of wall time after the limit
/// was made, or when someone asks. What is cut short by either depends on the machine; what is to
/// repeat exactly is limited by counts instead.
class TimeLimit
{
  public:
    TimeLimit(double seconds, std::function<bool()> stop = {})
        : end_(now() + seconds), stop_(std::move(stop))
    {
    }

    /// Seconds; 0 once it is over.
    double left() const { return stopped() ? 0 : std::max(0.0, end_ - now()); }
    bool over() const { return now() > end_ || stopped(); }
    /// A limit of that share of the seconds left, from now on.
    TimeLimit part(double share) const { return {share * left(), stop_}; }

  private:
    static double now()
    {
        using Clock = std::chrono::steady_clock;
        return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
    }
    bool stopped() const { return stop_ && stop_(); }

    double end_; ///< by now()
    std::function<bool()> stop_;
};

} // namespace crx::baseline
