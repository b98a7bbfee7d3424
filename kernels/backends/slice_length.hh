#pragma once

#include <cstdint>

namespace crx {

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
