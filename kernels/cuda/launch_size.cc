#include "kernels/cuda/launch_size.hh"

#include "kernels/base/host_device.cuh"

#include <algorithm>

namespace crx {

void LaunchSize::took(std::int64_t instances, double seconds)
{
    CRX_EXPECT(instances > 0 && seconds >= 0);
    if (before_ >= 2 * instances && seconds > 0.75 * before_seconds_) floor_ = before_;
    auto const too_long = seconds > 2 * seconds_;
    before_ = too_long ? instances : 0;
    before_seconds_ = seconds;
    auto const factor = std::clamp(seconds_ / std::max(seconds, 1e-9), 0.125, 8.0);
    // Of a last part that is small little is learnt.
    if (!too_long && instances < instances_ &&
        factor * static_cast<double>(instances) < static_cast<double>(instances_))
        return;
    constexpr double most = 1e15;
    auto const wanted = std::min(factor * static_cast<double>(instances), most);
    instances_ = std::max({static_cast<std::int64_t>(wanted), floor_, std::int64_t{1}});
}

} // namespace crx
