#include "kernels/cpu/single.hh"
#include "kernels/policies/registry.cuh"
#include "support/random_instance.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace crx {
namespace {

OwnedInstance instance_of(Tokens memory, std::vector<std::int32_t> prompt,
                          std::vector<std::int32_t> output)
{
    OwnedInstance instance;
    instance.memory = memory;
    instance.arrival.assign(output.size(), 0);
    instance.prompt = std::move(prompt);
    instance.lower = instance.upper = instance.output = std::move(output);
    return instance;
}

// s = 1, o = 1, M = 10, five times: volumes 2, sums 2 4 6 8 10, each ceil(./10) = 1: 5 rounds,
// which is CHEN Example 3.2's optimum. M = 4, s = 0, o = 2 2 3 3: volumes 3 3 6 6, sums 3 6 12 18:
// max(2,1) + max(2,2) + max(3,3) + max(3,5) = 12.
TEST(VolumeBound, ByHand)
{
    EXPECT_EQ(volume_bound(instance_of(10, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1})), 5);
    EXPECT_EQ(volume_bound(instance_of(4, {0, 0, 0, 0}, {3, 2, 2, 3})), 12);
    EXPECT_EQ(volume_bound(instance_of(4, {}, {})), 0);
}

// No schedule is below the bound: every policy, and every order of list scheduling, on random
// instances; the best order of small ones comes near it but never under.
TEST(VolumeBound, NoScheduleIsBelowIt)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int k = 0; k < 3000; ++k) {
        auto const random = crx_test::random_instance(rng);
        std::vector<std::int32_t> prompt, output;
        for (auto const& r : random.requests) {
            prompt.push_back(static_cast<std::int32_t>(r.prompt));
            output.push_back(static_cast<std::int32_t>(r.output));
        }
        auto const instance = instance_of(random.memory, prompt, output);
        auto const bound = volume_bound(instance);
        for (auto const kind :
             {ShortestFirst::kind, ShortestTotalFirst::kind, ArrivalOrder::kind, RandomOrder::kind})
            ASSERT_GE(execute_single({kind, {}}, instance, 1, k).outcome.total_latency, bound)
                << crx_test::describe(random);
    }
}

TEST(VolumeBound, IsAtMostTheBestOrderOfSmallInstances)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    for (int k = 0; k < 200; ++k) {
        std::vector<std::int32_t> output;
        for (int i = 0; i < 5; ++i) output.push_back(1 + static_cast<std::int32_t>(rng() % 6));
        std::sort(output.begin(), output.end());
        auto best = INT64_MAX;
        do {
            auto const instance = instance_of(8, {0, 0, 0, 0, 0}, output);
            best = std::min(
                best,
                execute_single({ArrivalOrder::kind, {}}, instance, 0, 0).outcome.total_latency);
        } while (std::next_permutation(output.begin(), output.end()));
        ASSERT_LE(volume_bound(instance_of(8, {0, 0, 0, 0, 0}, output)), best);
    }
}

} // namespace
} // namespace crx
