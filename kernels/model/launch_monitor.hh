#pragma once

#include "kernels/base/seconds_since.hh"
#include "kernels/model/requests.cuh"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace crx {

/// When a launch on the CPU ends before its range does.
struct StopCondition
{
    std::function<bool()> stop_asked = {}; ///< from then on no instance is begun; empty: never
    /// So many seconds later those that run are given up: one alone may take minutes.
    double grace = 2;
    double seconds = 1e300; ///< after these no instance is begun either
};

/// Hands out the instances of a range to threads in ascending order, and says when to begin no
/// further one and when to give up those that run.
class LaunchMonitor
{
  public:
    LaunchMonitor(InstanceRange range, StopCondition const& stop_condition)
        : stop_condition_(stop_condition), first_(range.first), end_(range.first + range.count),
          next_(range.first), unfinished_(end_), finished_(range.first),
          begin_(std::chrono::steady_clock::now())
    {
    }

    /// The next `count` instances, fewer at the end, none once stop_condition is over.
    InstanceRange next(std::int64_t count)
    {
        if (is_over()) return {};
        auto const first = next_.fetch_add(count);
        return {first, std::max<std::int64_t>(0, std::min(count, end_ - first))};
    }
    void finish(InstanceRange range) { raise(finished_, range.first + range.count); }
    /// From this instance on a range that was handed out is not done.
    void leave(std::int64_t instance)
    {
        for (auto now = unfinished_.load();
             instance < now && !unfinished_.compare_exchange_weak(now, instance);) {
        }
    }

    /// Whether to give up an instance that runs. Any thread may ask.
    bool should_abort()
    {
        if (!stop_asked()) return false;
        auto stopped_at = -1.0;
        stopped_at_.compare_exchange_strong(stopped_at, seconds());
        return seconds() - stopped_at_ >= stop_condition_.grace;
    }

    /// How many of the first instances were finished and no others, after all threads are done; 0
    /// if instances behind one that was given up are finished too.
    std::int64_t count() const
    {
        auto const reached = std::min({unfinished_.load(), next_.load(), end_});
        return finished_ > reached ? 0 : reached - first_;
    }

  private:
    static void raise(std::atomic<std::int64_t>& value, std::int64_t to)
    {
        for (auto now = value.load(); to > now && !value.compare_exchange_weak(now, to);) {
        }
    }
    bool stop_asked() const { return stop_condition_.stop_asked && stop_condition_.stop_asked(); }
    double seconds() const { return seconds_since(begin_); }
    /// One instance at least is handed out, however short stop_condition is.
    bool is_over() const
    {
        return stop_asked() || (next_ > first_ && seconds() >= stop_condition_.seconds);
    }

    StopCondition const& stop_condition_;
    std::int64_t first_, end_;
    std::atomic<std::int64_t> next_, unfinished_, finished_; ///< finished_: one past the last
    std::chrono::steady_clock::time_point begin_;
    std::atomic<double> stopped_at_ = -1; ///< in seconds(); -1: not asked to stop
};

/// How many steps of long instances or paths a launch may take, so that it lasts about as long as
/// is wanted: doubled or halved by how long the last one took.
class SliceLength
{
  public:
    SliceLength(double seconds, std::int64_t first) : seconds_(seconds), steps_(first) {}
    std::int64_t steps() const { return steps_; }
    void took(double seconds)
    {
        if (seconds < seconds_ / 2 && steps_ < most) steps_ *= 2;
        if (seconds > seconds_ * 2 && steps_ > 1) steps_ /= 2;
    }

  private:
    static constexpr std::int64_t most = std::int64_t{1} << 40;
    double seconds_;
    std::int64_t steps_;
};

} // namespace crx
