// WANG Example 2, the exchange rule: of two batches, each of n equal requests that fill memory, the
// one of least F = o / n goes first.
#include "analysis/baseline/schedule.hh"
#include "analysis/sorted_f/transformed.hh"
#include "support/owned_instance.hh"

#include <gtest/gtest.h>
#include <numeric>

namespace crx::sorted_f {
namespace {

using crx_test::known_at_0;

/// Batches one after the other, as the example has it: a schedule, checked.
Rounds separate(OwnedInstance const& instance, std::vector<Batch> const& batches)
{
    auto const starts = separate_starts(instance, batches);
    EXPECT_FALSE(baseline::schedule_fault(instance, starts));
    return baseline::total_latency(instance, starts);
}

/// Sorted-F's own Phase 2, in which a batch starts while the one before it ends.
Rounds overlapping(OwnedInstance const& instance, std::vector<Batch> const& batches)
{
    return execute_in_order(instance, order_of(batches)).outcome.total_latency;
}

struct Count
{
    int pairs = 0, overlapping_worse = 0;
};

void add_memory(int memory, Count& count)
{
    std::vector<std::pair<int, int>> kinds; // (s, o) of which a whole number fills memory
    for (int size = 1; size <= memory; ++size)
        for (int o = 1; memory % size == 0 && o <= size; ++o) kinds.emplace_back(size - o, o);
    for (auto const& one : kinds)
        for (auto const& two : kinds) {
            auto const n1 = memory / (one.first + one.second),
                       n2 = memory / (two.first + two.second);
            auto const o1 = one.second, o2 = two.second;
            std::vector<std::pair<int, int>> requests(static_cast<std::size_t>(n1), one);
            requests.insert(requests.end(), static_cast<std::size_t>(n2), two);
            auto const instance = known_at_0(memory, requests);
            std::vector<Batch> batches{Batch(static_cast<std::size_t>(n1)),
                                       Batch(static_cast<std::size_t>(n2))};
            std::iota(batches[0].begin(), batches[0].end(), std::size_t{0});
            std::iota(batches[1].begin(), batches[1].end(), batches[0].size());
            auto const first = separate(instance, batches);
            auto const first_overlapping = overlapping(instance, batches);
            std::swap(batches[0], batches[1]);
            auto const second = separate(instance, batches);
            ASSERT_EQ(first, o1 * n1 + o2 * n2 + o1 * n2);
            ASSERT_EQ(first - second, o1 * n2 - o2 * n1);
            if (o1 * n2 >= o2 * n1) continue; // F of the first is not the smaller one
            ++count.pairs;
            count.overlapping_worse += overlapping(instance, batches) < first_overlapping;
        }
}

// Every pair of kinds with M <= 24. Printed without "separate", it is wrong: of Sorted-F's own
// schedules the one in order of F is the worse in some.
TEST(WangExample2, HoldsForSeparateBatchesOnly)
{
    Count count;
    for (int memory = 1; memory <= 24; ++memory) add_memory(memory, count);
    EXPECT_EQ(count.pairs, 7070);
    EXPECT_EQ(count.overlapping_worse, 210);
}

// The smallest: M = 6, three of (1, 1), F = 1/3, and two of (0, 3), F = 3/2. In order of F the long
// ones wait for a round: 3 + 2 (1 + 3). First, they hold two tokens at time 1 and four at 2, which
// leaves room for two of the others and then for the third: 2 x 3 + 1 + 1 + 2.
TEST(WangExample2, SmallestWithOverlap)
{
    auto const instance = known_at_0(6, {{1, 1}, {1, 1}, {1, 1}, {0, 3}, {0, 3}});
    EXPECT_EQ(overlapping(instance, {{0, 1, 2}, {3, 4}}), 11);
    EXPECT_EQ(overlapping(instance, {{3, 4}, {0, 1, 2}}), 10);
}

// Nor does it go beyond equal requests: what an exchange weighs is max o / n, and F is mean o / n.
// M = 7: {(0, 2), (0, 5)} has F = 7/4 and (4, 2), alone, 2; but it is the latter that should go
// first.
TEST(WangExample2, NotForMixedBatches)
{
    auto const instance = known_at_0(7, {{0, 2}, {0, 5}, {4, 2}});
    auto made = batches(instance, {}).value();
    ASSERT_EQ(made, (std::vector<Batch>{{0, 1}, {2}}));
    EXPECT_EQ(separate(instance, made), 14);
    std::swap(made[0], made[1]);
    EXPECT_EQ(separate(instance, made), 13);
}

} // namespace
} // namespace crx::sorted_f
