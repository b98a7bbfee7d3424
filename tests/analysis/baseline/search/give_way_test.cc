#include "analysis/baseline/search/best_found.hh"

#include "support/one_by_one.hh"
#include "support/oracle_optimum.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>

namespace crx::baseline {
namespace {

using crx_test::known_at_0;

struct Missed
{
    OwnedInstance instance;
    Starts found; ///< by the search over orders with 86,400 schedules
};

std::vector<Missed> missed()
{
    return {
        {known_at_0(40, {{3, 9}, {3, 3}, {4, 13}, {1, 27}, {5, 16}, {2, 32}}), {0, 0, 0, 5, 4, 22}},
        {known_at_0(40, {{4, 12}, {3, 30}, {1, 35}, {1, 17}, {5, 7}, {3, 11}}),
         {3, 6, 30, 6, 0, 0}},
        {known_at_0(40, {{1, 7}, {4, 28}, {1, 16}, {2, 9}, {3, 35}, {4, 13}}), {0, 4, 4, 0, 27, 0}},
        {known_at_0(40, {{3, 10}, {4, 13}, {4, 26}, {3, 10}, {2, 35}, {2, 12}}),
         {6, 10, 6, 0, 24, 0}}};
}

TEST(GiveWay, FindsTheOptimumThatOrdersMiss)
{
    for (auto const& [instance, found] : missed()) {
        auto const better = give_way(instance, found);
        EXPECT_EQ(schedule_fault(instance, better), std::nullopt);
        EXPECT_EQ(total_latency(instance, better), total_latency(instance, found) - 1);
        EXPECT_EQ(crx_test::oracle_optimum(instance), total_latency(instance, better));
        auto const best = best_found(instance, {86'400, 1e9, 1})->total_latency;
        EXPECT_EQ(best, total_latency(instance, better));
    }
}

// From a request after the other: a schedule, never worse, and none that starts a request a round
// earlier or gives way once more would be better.
TEST(GiveWay, EndsWithASchedule)
{
    std::mt19937_64 rng(crx_test::test_seed() + 153);
    for (int k = 0; k < 2000; ++k) {
        OwnedInstance instance;
        instance.memory = 6 + static_cast<Tokens>(rng() % 30);
        auto const latest = k % 2 == 0 ? 1u : 20u;
        for (auto n = 1 + rng() % 9; n-- > 0;) {
            instance.prompt.push_back(static_cast<std::int32_t>(rng() % 4));
            instance.output.push_back(
                1 +
                static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(instance.memory - 3)));
            instance.arrival.push_back(1'000'000 + static_cast<Rounds>(rng() % latest));
        }
        instance.lower = instance.upper = instance.output;
        auto const before = crx_test::one_by_one(instance);
        auto const after = give_way(instance, before);
        ASSERT_EQ(schedule_fault(instance, after), std::nullopt) << k;
        ASSERT_LE(total_latency(instance, after), total_latency(instance, before));
        ASSERT_EQ(give_way(instance, after), after) << k;
        for (std::size_t i = 0; i < after.size(); ++i) {
            auto earlier = after;
            --earlier[i];
            ASSERT_TRUE(schedule_fault(instance, earlier)) << k;
        }
    }
}

TEST(GiveWay, LeavesLongSchedulesAndEndsWithTime)
{
    auto const long_one = known_at_0(200'000, {{1, 100'000}, {1, 150'000}});
    Starts const apart{0, 100'000};
    EXPECT_EQ(give_way(long_one, apart), apart);
    auto const first = missed().front();
    EXPECT_EQ(total_latency(first.instance, give_way(first.instance, first.found, 0.0)),
              total_latency(first.instance, first.found));
}

} // namespace
} // namespace crx::baseline
