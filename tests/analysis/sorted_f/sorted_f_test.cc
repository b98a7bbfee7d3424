#include "analysis/baseline/schedule.hh"
#include "analysis/sorted_f/selector.hh"
#include "analysis/sorted_f/sorted_f.hh"
#include "kernels/policies/shortest_first.cuh"
#include "support/schedule_check.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <random>
#include <tuple>

namespace crx::sorted_f {
namespace {

struct Case
{
    std::vector<Item> items;
    Tokens memory;
};

Case random_case(std::mt19937_64& rng, std::size_t most)
{
    Case c;
    c.memory = 4 + static_cast<Tokens>(rng() % 30);
    auto const n = 1 + rng() % most;
    for (std::size_t i = 0; i < n; ++i) {
        auto const s = static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(c.memory - 1));
        auto const o =
            1 + static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(c.memory - s));
        c.items.push_back({i, s / (1 + static_cast<std::int32_t>(rng() % 4)), o});
    }
    return c;
}

Tokens size_of(Case const& c, Batch const& batch)
{
    Tokens size = 0;
    for (auto const place : batch) size += c.items[place].size();
    return size;
}

/// (F, -|X|, sum (s + o)) with F as outputs over count squared.
using Key = std::tuple<Quality, std::int64_t, Tokens>;
bool less(Key const& a, Key const& b)
{
    if (std::get<0>(a) < std::get<0>(b)) return true;
    if (std::get<0>(b) < std::get<0>(a)) return false;
    return std::tie(std::get<1>(a), std::get<2>(a)) < std::tie(std::get<1>(b), std::get<2>(b));
}
Key key_of(Case const& c, Batch const& batch)
{
    return {quality_of(c.items, batch), -static_cast<std::int64_t>(batch.size()),
            size_of(c, batch)};
}

Batch subset(std::uint32_t mask)
{
    Batch batch;
    for (; mask != 0; mask &= mask - 1)
        batch.push_back(static_cast<std::size_t>(std::countr_zero(mask)));
    return batch;
}

/// WANG Lemma 1: the mean output of a batch is above half of its largest.
bool lemma_1(Case const& c, Batch const& batch)
{
    std::int32_t longest = 0;
    for (auto const place : batch) longest = std::max(longest, c.items[place].output);
    auto const quality = quality_of(c.items, batch);
    return 2 * quality.outputs > longest * quality.count;
}

TEST(SortedF, ExactSelectorEqualsAllSubsets)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int k = 0; k < 4000; ++k) {
        auto const c = random_case(rng, k % 4 == 0 ? 12 : 9);
        auto best = subset(1);
        for (std::uint32_t mask = 1; mask < 1u << c.items.size(); ++mask)
            if (auto const batch = subset(mask); size_of(c, batch) <= c.memory)
                if (less(key_of(c, batch), key_of(c, best))) best = batch;
        auto const chosen = select_exact(c.items, c.memory);
        ASSERT_TRUE(chosen);
        ASSERT_LE(size_of(c, *chosen), c.memory);
        ASSERT_FALSE(less(key_of(c, best), key_of(c, *chosen)));
        ASSERT_TRUE(lemma_1(c, *chosen));
    }
}

TEST(SortedF, TiesGoToTheTablesFirst)
{
    std::vector<Item> const equal{{0, 1, 2}, {1, 1, 2}, {2, 1, 2}, {3, 1, 2}};
    EXPECT_EQ(select_exact(equal, 7), (Batch{0, 1}));
    EXPECT_EQ(select_swap(equal, 7), (Batch{0, 1}));
}

TEST(SortedF, ScaledAlwaysFitsAndIsNeverBetter)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int worse = 0;
    for (int k = 0; k < 3000; ++k) {
        auto const c = random_case(rng, 12);
        auto const exact = select_exact(c.items, c.memory);
        auto const same = select_scaled(c.items, c.memory, c.memory);
        auto const coarse = select_scaled(c.items, c.memory, 5);
        ASSERT_TRUE(exact && same && coarse);
        ASSERT_EQ(*same, *exact); // lambda = 1
        ASSERT_FALSE(coarse->empty());
        ASSERT_LE(size_of(c, *coarse), c.memory);
        ASSERT_FALSE(quality_of(c.items, *coarse) < quality_of(c.items, *exact));
        worse += quality_of(c.items, *exact) < quality_of(c.items, *coarse);
    }
    EXPECT_GT(worse, 10);
}

// Lemma 1 needs a batch of least F; the heuristics' batches can break it
// (docs/errata.md#wang-lemma-1).
TEST(SortedF, HeuristicsFitAndSwapIsALocalOptimum)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    int broken = 0;
    for (int k = 0; k < 3000; ++k) {
        auto const c = random_case(rng, 12);
        WordStream words(static_cast<std::uint64_t>(k), 0, 0);
        auto const swap = select_swap(c.items, c.memory);
        auto const quantile = select_quantile(c.items, c.memory, words);
        for (auto const& batch : {swap, quantile}) {
            ASSERT_FALSE(batch.empty());
            ASSERT_TRUE(std::ranges::is_sorted(batch));
            ASSERT_LE(size_of(c, batch), c.memory);
            broken += lemma_1(c, batch) ? 0 : 1;
        }
        for (auto const out : swap)
            for (std::size_t in = 0; in < c.items.size(); ++in)
                if (!std::ranges::binary_search(swap, in)) {
                    ASSERT_FALSE(c.items[in].output < c.items[out].output &&
                                 size_of(c, swap) - c.items[out].size() + c.items[in].size() <=
                                     c.memory);
                }
        // Nothing that is left out of a quantile batch fits in it.
        for (std::size_t in = 0; in < c.items.size(); ++in)
            if (!std::ranges::binary_search(quantile, in)) {
                ASSERT_GT(size_of(c, quantile) + c.items[in].size(), c.memory);
            }
    }
    EXPECT_GT(broken, 50);
}

OwnedInstance wang_example_1()
{
    OwnedInstance instance;
    instance.memory = 64;
    instance.prompt = {63};
    instance.output = {1};
    instance.prompt.insert(instance.prompt.end(), 21, 1);
    instance.output.insert(instance.output.end(), 21, 2);
    instance.arrival.assign(22, 0);
    instance.lower = instance.upper = instance.output;
    return instance;
}

TEST(SortedF, WangExample1)
{
    for (auto const selector : {Selector::exact, Selector::scaled, Selector::swap}) {
        auto const run = execute(wang_example_1(), {selector, 100, 0, 0});
        ASSERT_TRUE(run);
        EXPECT_EQ(run->outcome.total_latency, 45);
        EXPECT_EQ(run->start.front(), 2);
    }
    EXPECT_EQ(
        execute_single({ShortestFirst::kind, {}}, wang_example_1(), 0, 0).outcome.total_latency,
        64);
}

// The schedule is that of the prefix rule in the batches' order, by code that shares nothing with
// it.
TEST(SortedF, ServesTheBatchesByThePrefixRule)
{
    std::mt19937_64 rng(crx_test::test_seed() + 3);
    for (int k = 0; k < 400; ++k) {
        auto const c = random_case(rng, 12);
        OwnedInstance instance;
        instance.memory = c.memory;
        std::vector<oracle::Request> requests(c.items.size());
        for (std::size_t i = 0; i < c.items.size(); ++i) {
            instance.prompt.push_back(c.items[i].prompt);
            instance.output.push_back(c.items[i].output);
            instance.arrival.push_back(0);
            requests[i].prompt = c.items[i].prompt;
            requests[i].output = c.items[i].output;
        }
        instance.lower = instance.upper = instance.output;
        for (auto const selector :
             {Selector::exact, Selector::scaled, Selector::swap, Selector::quantile}) {
            Settings const settings{selector, 6, 1, static_cast<std::uint64_t>(k)};
            auto const run = execute(instance, settings);
            auto const made = batches(instance, settings);
            ASSERT_TRUE(run && made);
            std::vector<std::size_t> order;
            for (auto const& batch : *made) order.insert(order.end(), batch.begin(), batch.end());
            ASSERT_FALSE(baseline::schedule_fault(instance, run->start));
            auto const breach =
                crx_test::prefix_rule_breach(requests, instance.memory, run->start, order);
            ASSERT_FALSE(breach);
        }
    }
}

// 0 .. 3 of 16 items by sizes 0 .. 7: 32 states, each with 8 bytes and a bit an item.
TEST(SortedF, TableTakesEightBytesAStateAndABitAnItem)
{
    EXPECT_EQ(table_bytes_of(16, 3, 7), 32 * (8 + 2));
}

} // namespace
} // namespace crx::sorted_f
