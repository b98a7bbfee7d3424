#include "analysis/baseline/idle_gaps.hh"

#include "analysis/baseline/hindsight.hh"
#include "support/exhaustive_optimum.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace crx::baseline {
namespace {

using crx_test::exhaustive_optimum;

OwnedInstance instance_of(Tokens memory, std::vector<std::array<std::int32_t, 2>> const& requests,
                          std::vector<Rounds> const& arrival)
{
    OwnedInstance instance;
    instance.memory = memory;
    instance.arrival = arrival;
    for (auto const& [prompt, output] : requests) {
        instance.prompt.push_back(prompt);
        instance.output.push_back(output);
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

/// Up to seven requests that arrive in two bursts, the second `gap` rounds after the first.
OwnedInstance two_bursts(std::mt19937_64& rng, Rounds gap)
{
    auto const below = [&](std::uint64_t n) { return static_cast<std::int32_t>(rng() % n); };
    std::vector<std::array<std::int32_t, 2>> requests;
    std::vector<Rounds> arrival;
    auto const n = 2 + below(5);
    for (std::int32_t i = 0; i < n; ++i) {
        requests.push_back({below(3), 1 + below(6)});
        arrival.push_back(below(3) + (i % 2 == 0 ? 0 : gap));
    }
    return instance_of(8, requests, arrival);
}

/// The sum of the optima of those that arrive before a round and of the others, from their arrivals
/// on.
Rounds optimum_of_bursts(OwnedInstance const& instance, Rounds round)
{
    OwnedInstance bursts[2];
    for (auto& burst : bursts) burst.memory = instance.memory;
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        auto& burst = bursts[instance.arrival[i] >= round];
        burst.arrival.push_back(instance.arrival[i] % round);
        burst.prompt.push_back(instance.prompt[i]);
        burst.output.push_back(instance.output[i]);
    }
    return exhaustive_optimum(bursts[0]) + exhaustive_optimum(bursts[1]);
}

HindsightLimits counted()
{
    HindsightLimits limits;
    limits.seconds = 1e9;
    limits.evaluations_a_request = 30;
    limits.nodes = 100'000;
    return limits;
}

// By hand: outputs of 5 twice before the gap, so ten rounds of it stay.
TEST(IdleGaps, AreShortenedToTheWorkBefore)
{
    constexpr Rounds late = 1'000'000'000'000;
    WithoutIdleGaps const times(
        instance_of(10, {{5, 5}, {5, 5}, {5, 5}, {0, 1}}, {7, 8, 7 + late, 9 + late}));
    EXPECT_EQ(times.instance().arrival, (std::vector<Rounds>{0, 1, 11, 13}));
    EXPECT_EQ(times.original({0, 5, 11, 13}), (Starts{7, 12, 7 + late, 9 + late}));
    EXPECT_EQ(times.original(40), 36 + late);
    // A gap that is no longer than the work and least_gap is kept.
    auto const kept = instance_of(10, {{5, 5}, {5, 5}}, {0, 5 + WithoutIdleGaps::least_gap - 1});
    EXPECT_EQ(WithoutIdleGaps(kept).instance().arrival, kept.arrival);
    EXPECT_FALSE(WithoutIdleGaps(kept).left_out());
}

// What the proof says: with a gap of the work before it the optimum is the sum of both sides'.
TEST(IdleGaps, SplitTheOptimum)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    int apart = 0, together = 0; // gaps a round too short do not split all
    for (int k = 0; k < 300; ++k) {
        auto const below = [&](std::uint64_t n) { return static_cast<std::int32_t>(rng() % n); };
        std::vector<std::array<std::int32_t, 2>> requests;
        Rounds work = 0;
        for (int i = 0; i < 4; ++i) requests.push_back({below(3), 1 + below(3)});
        for (int i = 0; i < 2; ++i) work += requests[static_cast<std::size_t>(i)][1];
        auto const instance = instance_of(5, requests, {0, 0, work, work});
        ASSERT_EQ(exhaustive_optimum(instance), optimum_of_bursts(instance, work));
        auto const early = instance_of(5, requests, {0, 0, work - 1, work - 1});
        (exhaustive_optimum(early) == optimum_of_bursts(early, work - 1) ? apart : together) += 1;
    }
    EXPECT_GT(apart, 0);
    EXPECT_GT(together, 0);
}

// A request may run across a gap only if the gap is no shorter than it: else it would still be
// there behind it, larger.
TEST(IdleGaps, KeepPoorSchedulesWithinMemory)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int k = 0; k < 2000; ++k) {
        auto const instance = two_bursts(rng, 1040 + static_cast<Rounds>(rng() % 3000));
        WithoutIdleGaps const times(instance);
        ASSERT_TRUE(times.left_out());
        // Started one by one in a random order, each as early as memory lets it.
        auto const n = instance.output.size();
        Starts starts(n);
        Rounds const far = 100'000;
        for (std::size_t i = 0; i < n; ++i) starts[i] = far * static_cast<Rounds>(i + 1);
        for (std::size_t i = n; i-- > 0;) {
            starts[i] = times.instance().arrival[i] + static_cast<Rounds>(rng() % 30);
            while (schedule_fault(times.instance(), starts)) ++starts[i];
        }
        ASSERT_EQ(schedule_fault(instance, times.original(starts)), std::nullopt);
    }
}

// Shifted by any date and with a gap of any length an instance keeps every bound and schedule, and
// the optimum is the exhaustive one.
TEST(IdleGaps, ChangeNoBoundAndNoSchedule)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    constexpr Rounds date = 1'000'000'000'000;
    for (int k = 0; k < 60; ++k) {
        auto const instance = two_bursts(rng, 1040);
        auto late = instance;
        for (auto& arrival : late.arrival) arrival += arrival < 1000 ? date : 3 * date;
        auto const here = hindsight(instance, counted()), there = hindsight(late, counted());
        ASSERT_TRUE(here.optimal() && there.optimal());
        ASSERT_EQ(here.upper, optimum_of_bursts(instance, 1000));
        ASSERT_EQ(here.bounds.size(), there.bounds.size());
        for (std::size_t b = 0; b < here.bounds.size(); ++b)
            EXPECT_EQ(here.bounds[b].value, there.bounds[b].value) << here.bounds[b].id;
        ASSERT_EQ(here.schedules.size(), there.schedules.size());
        for (std::size_t s = 0; s < here.schedules.size(); ++s) {
            EXPECT_EQ(here.schedules[s].total_latency, there.schedules[s].total_latency);
            EXPECT_EQ(schedule_fault(late, there.schedules[s].starts), std::nullopt);
        }
    }
}

// Two that fill memory one after the other, and one long after: 5 + 10 + 5.
TEST(IdleGaps, ProveAnOptimumAcrossALongGap)
{
    auto const result =
        hindsight(instance_of(10, {{5, 5}, {5, 5}, {5, 5}}, {0, 0, 1'000'000'000'000}), counted());
    EXPECT_EQ(result.lower, 20);
    EXPECT_EQ(result.upper, 20);
    EXPECT_EQ(schedule_fault(instance_of(10, {{5, 5}, {5, 5}, {5, 5}}, {0, 0, 1'000'000'000'000}),
                             result.best().starts),
              std::nullopt);
}

} // namespace
} // namespace crx::baseline
