#include "kernels/cuda/launch_size.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

/// A GPU that holds so many instances at a time, each of which lasts so long.
struct Gpu
{
    double held, seconds;
    double lasts(std::int64_t instances) const
    {
        return std::ceil(static_cast<double>(instances) / held) * seconds;
    }
};

/// How long the launches of one cell last after the first few.
std::vector<double> lengths(Gpu const& gpu)
{
    LaunchSize size;
    std::vector<double> seconds;
    for (int launch = 0; launch < 60; ++launch) {
        auto const count = size.instances();
        size.took(count, gpu.lasts(count));
        if (launch >= 20) seconds.push_back(gpu.lasts(count));
    }
    return seconds;
}

TEST(LaunchSize, LaunchesLastAboutATenthOfASecond)
{
    for (auto const& gpu :
         {Gpu{200'000, 1e-4}, Gpu{200'000, 1e-2}, Gpu{6'000, 0.05}, Gpu{64, 0.003}, Gpu{1, 0.01}})
        for (auto const seconds : lengths(gpu)) {
            EXPECT_GE(seconds, 0.04) << gpu.held << " of " << gpu.seconds << " s";
            EXPECT_LE(seconds, 0.21) << gpu.held << " of " << gpu.seconds << " s";
        }
}

// An instance of a second: nothing helps, so the GPU is kept about full.
TEST(LaunchSize, DoesNotEmptyAGpuWhoseInstancesAreLong)
{
    LaunchSize size;
    Gpu const gpu{5'000, 1.0};
    for (int launch = 0; launch < 50; ++launch) {
        auto const count = size.instances();
        size.took(count, gpu.lasts(count));
        EXPECT_GE(count, LaunchSize::first / 8) << launch;
        EXPECT_LE(gpu.lasts(count), 1.0) << launch;
    }
    EXPECT_GE(size.instances(), LaunchSize::first);
}

TEST(LaunchSize, ASmallLastPartChangesNothing)
{
    LaunchSize size;
    for (int launch = 0; launch < 20; ++launch)
        size.took(size.instances(), 1e-6 * static_cast<double>(size.instances()));
    auto const before = size.instances();
    EXPECT_NEAR(static_cast<double>(before), 1e5, 1e3);
    size.took(3, 1e-5);
    EXPECT_EQ(size.instances(), before);
}

// Launches of a kind of cells go on from where the last one of that kind stopped.
TEST(LaunchSizes, AreOfAKind)
{
    LaunchSizes sizes;
    EXPECT_EQ(sizes.of("small").instances(), LaunchSize::first);
    sizes.took("small", LaunchSize::first, 1e-3);
    EXPECT_EQ(sizes.of("small").instances(), 8 * LaunchSize::first);
    EXPECT_EQ(sizes.of("large").instances(), LaunchSize::first);
}

} // namespace
} // namespace crx
