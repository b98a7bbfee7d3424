#include "analysis/baseline/relaxation/pair_bound.hh"

#include "analysis/baseline/relaxation/dual_ascent.hh"
#include "analysis/baseline/relaxation/pair_states.hh"
#include "analysis/baseline/relaxation/price_bound.hh"
#include "support/oracle_optimum.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace crx::baseline {
namespace {

OwnedInstance random_small_instance(std::mt19937_64& rng, int most_requests, Tokens most_memory)
{
    auto const pick = [&](std::int64_t lo, std::int64_t hi) {
        return lo + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(hi - lo + 1));
    };
    OwnedInstance instance;
    instance.memory = pick(3, most_memory);
    auto const latest = rng() % 2 == 0 ? 0 : pick(0, 8);
    for (auto n = pick(1, most_requests); n-- > 0;) {
        auto const s = std::min(pick(0, 3), instance.memory - 1);
        instance.prompt.push_back(static_cast<std::int32_t>(s));
        instance.output.push_back(static_cast<std::int32_t>(pick(1, instance.memory - s)));
        instance.arrival.push_back(pick(0, latest));
        if (instance.output.size() > 1 && rng() % 4 == 0) { // equal ones
            instance.prompt.back() = instance.prompt.front();
            instance.output.back() = instance.output.front();
            instance.arrival.back() = instance.arrival.front();
        }
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

Rounds last_one_by_one(OwnedInstance const& instance)
{
    auto const starts = crx_test::one_by_one(instance);
    return *std::ranges::max_element(starts);
}

struct Bounds
{
    Rounds root, pairs;
};

/// With starts up to the last one of one_by_one, or only to the last arrival.
Bounds bounds(OwnedInstance const& instance, Rounds upper, bool all_starts)
{
    auto const groups = request_groups(instance);
    AscentSettings settings;
    settings.starts = last_one_by_one(instance) + 1;
    settings.peak_families = 2;
    settings.upper = upper;
    settings.iterations = 40;
    auto const prices = ascend(instance, groups, settings).prices;
    auto const root = price_bound(instance, groups, upper, prices, settings.starts);
    auto const starts =
        all_starts ? settings.starts : *std::ranges::max_element(instance.arrival) + 1;
    PairSettings pairs;
    pairs.steps = 200;
    auto const outcome = pair_bound(instance, groups, root, upper, starts, pairs);
    EXPECT_GT(outcome.states, 0u);
    return {root.lower_bound, outcome.lower_bound};
}

// Never above the optimum, from a poor schedule and from the best one; often it is the optimum,
// also where peaks and memory alone are below.
TEST(PairBound, IsBelowTheOptimumOfTheOracle)
{
    std::mt19937_64 rng(crx_test::test_seed() + 154);
    int better = 0, met = 0;
    constexpr int count = 300;
    for (int k = 0; k < count; ++k) {
        auto const instance = random_small_instance(rng, 7, 14);
        auto const optimum = crx_test::oracle_optimum(instance);
        auto const upper = total_latency(instance, crx_test::one_by_one(instance));
        auto const poor = bounds(instance, upper + 1, true);
        ASSERT_LE(poor.pairs, optimum) << k;
        ASSERT_LE(bounds(instance, upper + 1, false).pairs, optimum) << k;
        // A schedule of less would be a path: upper = optimum + 1 must leave the optimum in place.
        ASSERT_LE(bounds(instance, optimum + 1, true).pairs, optimum) << k;
        better += poor.pairs > poor.root;
        met += poor.pairs == optimum;
    }
    EXPECT_GT(better, count / 4);
    EXPECT_GT(met, count / 2);
}

// Any schedule's starts are a path: what is remembered of it always lets the next one start.
TEST(PairStates, FollowEverySchedule)
{
    std::mt19937_64 rng(crx_test::test_seed() + 155);
    for (int k = 0; k < 300; ++k) {
        auto const instance = random_small_instance(rng, 9, 30);
        auto const groups = request_groups(instance);
        PairStates const states(groups, instance.memory, 1'000'000);
        ASSERT_TRUE(states.built());
        // A random schedule: each request in a random round, or the first one after it that fits.
        Starts starts;
        OwnedInstance part;
        part.memory = instance.memory;
        for (std::size_t i = 0; i < instance.output.size(); ++i) {
            part.arrival.push_back(instance.arrival[i]);
            part.prompt.push_back(instance.prompt[i]);
            part.output.push_back(instance.output[i]);
            starts.push_back(instance.arrival[i] + static_cast<Rounds>(rng() % 15));
            while (schedule_fault(part, starts)) ++starts.back();
        }
        auto const last = *std::ranges::max_element(starts);
        std::size_t state = 0;
        for (Rounds t = 0; t <= last; ++t) {
            for (std::size_t g = 0; g < groups.size(); ++g)
                for (auto const i : groups[g].members)
                    if (starts[i] == t) {
                        auto const to = states.started(g, state);
                        ASSERT_NE(to, PairStates::none) << k;
                        state = to;
                    }
            state = states.next_round(state);
        }
        while (state != 0) {
            ASSERT_NE(states.next_round(state), state);
            state = states.next_round(state);
        }
    }
}

// Three at once: memory holds any two of them, not all.
TEST(PairStates, KeepMemoryOfThree)
{
    OwnedInstance instance;
    instance.memory = 10;
    instance.prompt = {1, 1, 1};
    instance.output = {2, 3, 4};
    instance.arrival = {0, 0, 0};
    auto const groups = request_groups(instance); // by output
    PairStates const states(groups, instance.memory, 1000);
    auto const pair = states.started(1, states.started(0, 0)); // 3 + 3 at time 2, 4 at 3
    ASSERT_NE(pair, PairStates::none);
    EXPECT_EQ(states.started(0, pair), PairStates::none); // there is one of it
    EXPECT_NE(states.started(2, pair), PairStates::none); // 9 at time 2, 8 at 3
    instance.memory = 8;
    PairStates const less(groups, instance.memory, 1000);
    auto const same = less.started(1, less.started(0, 0));
    ASSERT_NE(same, PairStates::none);
    EXPECT_EQ(less.started(2, same), PairStates::none);
    EXPECT_FALSE(PairStates(groups, 10, 5).built());
}

TEST(PairBound, IsNotMadeWhereItIsTooLarge)
{
    std::mt19937_64 rng(crx_test::test_seed() + 156);
    auto const instance = random_small_instance(rng, 7, 14);
    auto const groups = request_groups(instance);
    auto const starts = last_one_by_one(instance) + 1;
    auto const upper = total_latency(instance, crx_test::one_by_one(instance));
    auto const root = price_bound(instance, groups, upper + 1, {}, starts);
    PairSettings settings;
    settings.most_states = 1;
    EXPECT_EQ(pair_bound(instance, groups, root, upper + 1, starts, settings).lower_bound, 0);
    settings = {};
    settings.most_arcs = 1;
    EXPECT_EQ(pair_bound(instance, groups, root, upper + 1, starts, settings).lower_bound, 0);
}

} // namespace
} // namespace crx::baseline
