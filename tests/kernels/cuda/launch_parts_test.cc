#include "kernels/cuda/launch_parts.hh"

#include <cmath>
#include <gtest/gtest.h>

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

Workload small_workload(std::uint64_t seed)
{
    Workload workload;
    workload.requests = 10;
    workload.memory = 10;
    workload.seed = seed;
    return workload;
}

/// Runs that leave their ranges.
struct Ranges
{
    std::vector<InstanceRange> all;
    Launched operator()(Cell const& cell, InstanceRange range, StopCondition const&)
    {
        all.push_back(range);
        Tally tally(cell.policies.size());
        for (auto& policy : tally) policy.sums.unfinished = range.count;
        return {tally, range.count, {}};
    }
};

TEST(LaunchInParts, CoversTheRangeOnceAndAddsUp)
{
    Cell cell{small_workload(1), std::vector<PolicySpec>(2)};
    cell.workload.memory = 1001; // no other test's
    Ranges ranges;
    auto const done = launch_in_parts(std::ref(ranges), cell, {7, 100'000}, {});
    EXPECT_EQ(done.count, 100'000);
    for (auto const& policy : done.tally) EXPECT_EQ(policy.sums.unfinished, 100'000);
    EXPECT_GE(ranges.all.size(), 3u);
    std::int64_t next = 7;
    for (auto const& range : ranges.all) {
        EXPECT_EQ(range.first, next);
        next += range.count;
    }
    EXPECT_EQ(next, 100'007);
    // The next chunk of the cell begins with parts that last long enough.
    auto const before = ranges.all.size();
    launch_in_parts(std::ref(ranges), cell, {100'007, 100'000}, {});
    EXPECT_LT(ranges.all.size(), 2 * before);
}

TEST(LaunchInParts, StopsBetweenParts)
{
    Cell cell{small_workload(2), std::vector<PolicySpec>(1)};
    cell.workload.memory = 1002;
    Ranges ranges;
    auto const stop = [&] { return ranges.all.size() >= 2; };
    auto const done = launch_in_parts(std::ref(ranges), cell, {0, 1'000'000}, {stop});
    EXPECT_EQ(ranges.all.size(), 2u);
    EXPECT_EQ(done.count, ranges.all[0].count + ranges.all[1].count);
    EXPECT_EQ(done.tally[0].sums.unfinished, done.count);

    StopCondition no_time;
    no_time.seconds = 0;
    ranges.all.clear();
    cell.workload.memory = 1003;
    EXPECT_EQ(launch_in_parts(std::ref(ranges), cell, {0, 1'000'000}, no_time).count,
              LaunchSize::first);
    StopCondition at_once;
    at_once.stop_asked = [] { return true; };
    EXPECT_EQ(launch_in_parts(std::ref(ranges), cell, {0, 1'000'000}, at_once).count, 0);
}

} // namespace
} // namespace crx
