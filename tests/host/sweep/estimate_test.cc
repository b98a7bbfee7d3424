#include "host/sweep/estimate.hh"

#include <chrono>
#include <ctime>
#include <gtest/gtest.h>
#include <thread>

namespace crx {
namespace {

auto const never = [] { return false; };

/// So much of a processor an instance, and nothing of what the time does not suffice for.
FirstInstances slow(double seconds, bool whole_chunks_only)
{
    return [=](InstanceRange range, StopCondition const& stop) {
        Launched done;
        for (; done.count < range.count; ++done.count) {
            if (stop.stop_asked()) break;
            auto const end = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
            while (std::clock() < end) {
            }
        }
        if (whole_chunks_only && done.count < range.count) done.count = 0;
        return done;
    };
}

TEST(MeasuredCost, TakesMoreInstancesUntilThereIsSomethingToMeasure)
{
    auto const cost = measure_cost(slow(1e-4, false), 1'000'000, 1, never);
    EXPECT_FALSE(cost.at_least);
    EXPECT_GT(cost.instances, 16);
    EXPECT_GE(cost.seconds, 1e-4);
    EXPECT_EQ(measure_cost(slow(0, false), 5, 1, never).instances, 5);
}

// The second attempt is too long and finishes nothing: what the first one found stays.
TEST(MeasuredCost, ALargerAttemptThatFailsChangesNothing)
{
    auto const cost = measure_cost(slow(0.015, true), 1000, 0.05, never);
    EXPECT_FALSE(cost.at_least);
    EXPECT_EQ(cost.instances, 1);
    EXPECT_NEAR(cost.seconds, 0.015, 0.01);
}

TEST(MeasuredCost, IsNotWhatOtherProgramsTakeOfTheProcessor)
{
    auto const waiting = [](InstanceRange range, StopCondition const&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        Launched done;
        done.count = range.count;
        return done;
    };
    auto const cost = measure_cost(waiting, 1, 1, never);
    EXPECT_EQ(cost.instances, 1);
    EXPECT_LT(cost.seconds, 0.05);
    EXPECT_GE(measure_cost(waiting, 1, 1, never, true).seconds, 0.1);
}

TEST(MeasuredCost, SaysThatNothingWasFinished)
{
    auto const cost = measure_cost(slow(0.02, true), 4, 0.0, never);
    EXPECT_TRUE(cost.at_least);
    EXPECT_EQ(cost.instances, 0);
}

} // namespace
} // namespace crx
