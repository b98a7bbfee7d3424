#include "analysis/baseline/search/overtaking_schedule.hh"

#include "analysis/baseline/search/local_search.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

namespace crx::baseline {
namespace {

OwnedInstance random_instance(std::mt19937_64& rng, std::int64_t n, Tokens memory)
{
    OwnedInstance instance;
    instance.memory = memory;
    for (std::int64_t i = 0; i < n; ++i) {
        auto const s = static_cast<std::int32_t>(rng() % 6);
        instance.prompt.push_back(s);
        instance.output.push_back(
            1 + static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(memory - s)));
        instance.arrival.push_back(static_cast<Rounds>(rng() % 5));
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

/// Each request at the first round in which it fits beside those before it, one round at a time.
Starts plain_starts(OwnedInstance const& instance, std::vector<std::int32_t> const& order,
                    std::vector<std::int32_t> const& release)
{
    std::map<Rounds, Tokens> held;
    Starts starts(order.size());
    for (auto const request : order) {
        auto const i = static_cast<std::size_t>(request);
        auto const fits = [&](Rounds start) {
            for (std::int32_t j = 1; j <= instance.output[i]; ++j)
                if (held[start + j] + instance.prompt[i] + j > instance.memory) return false;
            return true;
        };
        auto start = std::max<Rounds>(instance.arrival[i], release[i]);
        while (!fits(start)) ++start;
        starts[i] = start;
        for (std::int32_t j = 1; j <= instance.output[i]; ++j)
            held[start + j] += instance.prompt[i] + j;
    }
    return starts;
}

template <class Held>
class Overtaking : public testing::Test
{
};
using Widths = testing::Types<std::int16_t, std::int32_t>;
TYPED_TEST_SUITE(Overtaking, Widths);

// However far apart the places are before which memory is remembered: the plain starts, after
// changes that are kept and between ones that are not.
TYPED_TEST(Overtaking, IsThePlainOneWithEveryStride)
{
    auto const seed = crx_test::test_seed() + 156;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 rng(seed);
    for (std::size_t stride : {1, 2, 5, 13, 40}) {
        for (int k = 0; k < 20; ++k) {
            auto const instance = random_instance(rng, 13, 20);
            auto const n = instance.output.size();
            OvertakingSchedule<TypeParam> schedule(instance, stride);
            std::vector<std::int32_t> order(n), release(n, 0);
            std::iota(order.begin(), order.end(), 0);
            schedule.keep(order, release, 0);
            for (int move = 0; move < 30; ++move) {
                auto next = order;
                auto delayed = release;
                auto const a = rng() % n, b = rng() % n;
                std::swap(next[a], next[b]);
                if (rng() % 4 == 0) delayed[static_cast<std::size_t>(next[a])] = 7;
                auto const from = std::min(a, b);
                auto const expected = plain_starts(instance, next, delayed);
                auto const latency = total_latency(instance, expected);
                ASSERT_EQ(schedule.evaluate(next, delayed, from, INT64_MAX), latency);
                ASSERT_EQ(schedule.evaluate(next, delayed, from, latency), latency); // stops
                if (rng() % 2 == 0) continue;
                ASSERT_EQ(schedule.keep(next, delayed, from), latency);
                ASSERT_EQ(schedule.starts(), expected);
                order = next;
                release = delayed;
            }
        }
    }
}

// Snapshots before every place would take 4 GB here.
TEST(LocalSearch, TakesThousandsOfRequests)
{
    std::mt19937_64 rng(2000);
    auto const instance = random_instance(rng, 2000, 1000);
    ASSERT_TRUE(local_search_fits(instance));
    ASSERT_GT(OvertakingSchedule<std::int16_t>::bytes_needed(instance, 1), 0x1p31);
    auto const first = local_search(instance, {4, 1e9, 1}),
               better = local_search(instance, {200, 1e9, 1});
    EXPECT_FALSE(schedule_fault(instance, better.starts));
    EXPECT_LT(better.total_latency, first.total_latency);
}

// Where all outputs are one token, ten thousand times the memory and the lengths change no
// schedule.
TEST(LocalSearch, TakesMoreMemoryThan16BitsHold)
{
    std::mt19937_64 rng(16);
    auto instance = random_instance(rng, 70, 10);
    std::ranges::fill(instance.output, 1);
    std::ranges::fill(instance.arrival, 0);
    instance.lower = instance.upper = instance.output;
    auto const found = local_search(instance, {300, 1e9, 1});
    instance.memory *= 10000;
    for (auto& prompt : instance.prompt) prompt = 10000 * (prompt + 1) - 1;
    auto const large = local_search(instance, {300, 1e9, 1});
    EXPECT_EQ(large.starts, found.starts);
    EXPECT_FALSE(schedule_fault(instance, large.starts));
}

} // namespace
} // namespace crx::baseline
