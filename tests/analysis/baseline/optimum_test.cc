#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/relaxation/price_bound.hh"
#include "analysis/sorted_f/relaxation.hh"
#include "bench/checks/integer_program.hh"
#include "support/exhaustive_optimum.hh"
#include "support/one_by_one.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace crx::baseline {
namespace {

using crx_test::exhaustive_optimum;

OwnedInstance small_instance(std::mt19937_64& rng, bool identical)
{
    auto const pick = [&](std::int64_t lo, std::int64_t hi) {
        return lo + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(hi - lo + 1));
    };
    OwnedInstance instance;
    instance.memory = pick(3, 12);
    auto const n = pick(1, 5);
    auto const kind = pick(0, 3); // arrivals: 0 for kinds 0 and 1
    auto const most = pick(0, 3);
    for (std::int64_t i = 0; i < n; ++i) {
        auto const s = std::min(pick(0, most), instance.memory - 1);
        instance.prompt.push_back(static_cast<std::int32_t>(s));
        instance.output.push_back(
            static_cast<std::int32_t>(pick(1, std::min<std::int64_t>(instance.memory - s, 7))));
        instance.arrival.push_back(kind <= 1 ? 0 : pick(0, 6));
        if (i > 0 && (identical || pick(0, 3) == 0)) { // equal requests
            instance.prompt.back() = instance.prompt.front();
            instance.output.back() = instance.output.front();
            instance.arrival.back() = instance.arrival.front();
        }
        if (identical) instance.arrival.back() = 0;
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

std::string describe(OwnedInstance const& instance)
{
    auto text = "M = " + std::to_string(instance.memory) + ", (a, s, o):";
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        text += " (" + std::to_string(instance.arrival[i]) + ", " +
                std::to_string(instance.prompt[i]) + ", " + std::to_string(instance.output[i]) +
                ")";
    return text;
}

// Every bound is at most the exhaustive optimum, and what `hindsight` proves is the optimum, from
// few schedules, so that it often has to find a better one.
TEST(HindsightOptimum, EqualsExhaustiveSearch)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int peaks_above_volume = 0, relaxation_above_volume = 0, found_by_paths = 0, by_paths = 0;
    for (int k = 0; k < 3000; ++k) {
        auto const instance = small_instance(rng, k % 10 == 0);
        SCOPED_TRACE(describe(instance));
        auto const optimum = exhaustive_optimum(instance);
        HindsightLimits limits;
        limits.seconds = 1e9;
        limits.evaluations_a_request = 1;
        limits.steps = 30;
        limits.seed = static_cast<std::uint64_t>(k);
        auto const result = hindsight(instance, limits);
        ASSERT_TRUE(result.optimal());
        ASSERT_EQ(result.upper, optimum);
        for (auto const& bound : result.bounds) ASSERT_LE(bound.value.value_or(0), optimum);
        found_by_paths += result.schedule("configurations").has_value();
        by_paths += !result.configurations.empty();
        sorted_lp::RelaxationSettings settings;
        settings.iterations = 30;
        auto const relaxation = sorted_lp::relax(instance, settings);
        ASSERT_TRUE(relaxation.solved);
        ASSERT_LE(relaxation.upper, static_cast<double>(optimum) + 1e-6);
        ASSERT_LE(relaxation.opt_lower_bound, optimum);
        // The exact bound from the solver's prices is the program's value but for rounding.
        ASSERT_GE(static_cast<double>(relaxation.opt_lower_bound), relaxation.upper - 1e-3);
        if (auto const volume = result.bound("volume")) {
            peaks_above_volume += result.bound("peaks").value() > *volume;
            relaxation_above_volume += relaxation.opt_lower_bound > *volume;
        }
    }
    // The bounds differ, or the test would say little about them.
    EXPECT_GT(peaks_above_volume, 10);
    EXPECT_GT(relaxation_above_volume, 100);
    EXPECT_GT(by_paths, 100);
    EXPECT_GT(found_by_paths, 20);
}

// Without prices a start costs its delay: the longer of two requests that hardly fit together
// starts in round 2, and the bound with that start is the optimum itself, not below it.
TEST(HindsightOptimum, TheStartsOfAnOptimumOneBelowTheKnownScheduleAreKept)
{
    OwnedInstance instance;
    instance.memory = 4;
    instance.arrival = {0, 0};
    instance.prompt = {0, 0};
    instance.lower = instance.upper = instance.output = {3, 4};
    ASSERT_EQ(exhaustive_optimum(instance), 9);
    auto const groups = request_groups(instance);
    auto const bound = price_bound(instance, groups, 10, {}, 10);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const start = groups[g].output == 4 ? 2 : 0;
        EXPECT_TRUE(bound.domain.allows(g, start)) << g;
    }
    // Below 9 there is none, and that start is out.
    auto const below = price_bound(instance, groups, 9, {}, 10);
    for (std::size_t g = 0; g < groups.size(); ++g)
        EXPECT_EQ(below.domain.allows(g, 2), false) << g;
}

// A domain too large for any table is none.
TEST(HindsightOptimum, DomainsTooLargeAreNotMade)
{
    OwnedInstance instance;
    instance.memory = 4;
    instance.arrival = {0, 0};
    instance.prompt = {0, 0};
    instance.lower = instance.upper = instance.output = {3, 4};
    auto const bound = price_bound(instance, request_groups(instance), 1'000'000'000, {}, 10);
    EXPECT_EQ(bound.domain.starts(), 0);
    EXPECT_GE(bound.lower_bound, 7);
    EXPECT_LE(bound.lower_bound, 10);
}

TEST(HindsightOptimum, IntegerProgramAgrees)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    for (int k = 0; k < 30; ++k) {
        auto const instance = small_instance(rng, false);
        SCOPED_TRACE(describe(instance));
        auto const program = integer_program(instance, crx_test::one_by_one(instance), 60);
        ASSERT_TRUE(program.optimal);
        ASSERT_EQ(program.total_latency, exhaustive_optimum(instance));
    }
}

// The schedule a request too early or a token too many is told from one that is none.
TEST(HindsightOptimum, FaultsAreSeen)
{
    OwnedInstance instance;
    instance.memory = 6;
    instance.arrival = {0, 2};
    instance.prompt = {1, 1};
    instance.lower = instance.upper = instance.output = {3, 3};
    // Request 0 from 0 holds 2 3 4 at times 1 2 3; request 1 from 2 holds 2 at time 3: 6 in all.
    EXPECT_EQ(schedule_fault(instance, {0, 2}), std::nullopt);
    EXPECT_EQ(schedule_fault(instance, {0, 1}), "request 1 starts at 1, before it arrives at 2");
    EXPECT_EQ(schedule_fault(instance, {1, 2}), "7 tokens are held at time 4, more than M = 6");
    EXPECT_EQ(schedule_fault(instance, {0}), "1 starts for 2 requests");
    EXPECT_EQ(total_latency(instance, {0, 2}), 3 + 3);
}

} // namespace
} // namespace crx::baseline
