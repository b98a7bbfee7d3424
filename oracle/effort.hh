#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>

namespace oracle {

/// A check that takes more steps than allowed, or that was asked to stop. what() says which.
struct Ended : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// How many steps a check may still take; a step is about a nanosecond.
class Effort
{
  public:
    /// `stop` is asked every few million steps; empty: never.
    explicit Effort(std::int64_t steps, std::function<bool()> stop = {})
        : allowed_(steps), left_(steps), asked_at_(steps), stop_(std::move(stop))
    {
    }

    /// Throws Ended.
    void spend(std::int64_t steps)
    {
        if (steps > left_)
            throw Ended("too much for the plain rules: more than " + std::to_string(allowed_) +
                        " steps");
        left_ -= steps;
        if (asked_at_ - left_ < 4'000'000) return;
        asked_at_ = left_;
        if (stop_ && stop_()) throw Ended("stopped");
    }

  private:
    std::int64_t allowed_, left_, asked_at_;
    std::function<bool()> stop_;
};

} // namespace oracle
