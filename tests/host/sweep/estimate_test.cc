#include "host/sweep/estimate.hh"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace crx {
namespace {

auto const never = [] { return false; };

/// So long an instance, and nothing of what the time does not suffice for.
FirstInstances slow(double seconds, bool whole_chunks_only)
{
    return [=](InstanceRange range, StopCondition const& stop) {
        Launched done;
        for (; done.count < range.count; ++done.count) {
            if (stop.stop_asked()) break;
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
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

TEST(MeasuredCost, SaysThatNothingWasFinished)
{
    auto const cost = measure_cost(slow(0.02, true), 4, 0.0, never);
    EXPECT_TRUE(cost.at_least);
    EXPECT_EQ(cost.instances, 0);
}

} // namespace
} // namespace crx
