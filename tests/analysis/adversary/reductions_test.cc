#include "analysis/adversary/reductions.hh"

#include "analysis/baseline/hindsight.hh"
#include "support/test_seed.hh"

#include <bit>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace crx {
namespace {

using Numbers = std::vector<std::int64_t>;
using Mask = std::uint32_t;

std::int64_t sum_over(Mask set, auto value)
{
    std::int64_t sum = 0;
    for (; set != 0; set &= set - 1) sum += value(static_cast<std::size_t>(std::countr_zero(set)));
    return sum;
}

/// By trying all triples for the first number left.
bool has_triples(Numbers const& x, Mask left, std::int64_t target)
{
    if (left == 0) return true;
    for (Mask set = left; set != 0; set = (set - 1) & left)
        if ((set & (left & -left)) != 0 && std::popcount(set) == 3 &&
            sum_over(set, [&](std::size_t i) { return x[i]; }) == target &&
            has_triples(x, left & ~set, target))
            return true;
    return false;
}

/// Least total latency and makespan where every output is 1: which requests run in which round.
struct Rounded
{
    std::vector<std::int64_t> latency, makespan; ///< [set of requests]
    explicit Rounded(OwnedInstance const& instance)
    {
        auto const all = Mask{1} << instance.output.size();
        latency.assign(all, INT64_MAX / 2);
        makespan.assign(all, INT64_MAX / 2);
        latency[0] = makespan[0] = 0;
        for (Mask left = 1; left < all; ++left)
            for (Mask set = left; set != 0; set = (set - 1) & left) {
                auto const held =
                    sum_over(set, [&](std::size_t i) { return instance.prompt[i] + 1; });
                if (held > instance.memory) continue;
                // All that is left waits for this round.
                latency[left] = std::min(latency[left], latency[left & ~set] + std::popcount(left));
                makespan[left] = std::min(makespan[left], makespan[left & ~set] + 1);
            }
    }
};

/// 3 m numbers of sum m T strictly between T/4 and T/2; dealt as triples of sum T half of the time.
Numbers random_triples(std::mt19937_64& rng, std::int64_t m)
{
    for (;;) {
        auto const target = 9 + static_cast<std::int64_t>(rng() % 30);
        auto const low = target / 4 + 1, high = (target - 1) / 2;
        auto const pick = [&] {
            return low +
                   static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(high - low + 1));
        };
        Numbers x;
        bool const dealt = rng() % 2 == 0;
        while (static_cast<std::int64_t>(x.size()) < 3 * m) {
            x.push_back(pick());
            if (dealt && x.size() % 3 == 2) x.push_back(target - x[x.size() - 2] - x.back());
        }
        if (!dealt) {
            x.back() = 0;
            x.back() = m * target - std::accumulate(x.begin(), x.end(), std::int64_t{0});
        }
        if (three_partition_fault(x).empty()) return x;
    }
}

TEST(Reductions, LeastTotalLatencyAnswersThreePartition)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int answers[2] = {};
    for (int k = 0; k < 400; ++k) {
        auto const m = k % 10 == 0 ? 3 : 2;
        auto const x = random_triples(rng, m);
        auto const target = std::accumulate(x.begin(), x.end(), std::int64_t{0}) / m;
        auto const yes = has_triples(x, (Mask{1} << x.size()) - 1, target);
        auto made = reduce_three_partition(x);
        ASSERT_EQ(made.threshold, 3 * m * (m + 1) / 2);
        auto const least = Rounded(made.instance).latency.back();
        ASSERT_GE(least, made.threshold);
        ASSERT_EQ(least == made.threshold, yes);
        ++answers[yes ? 1 : 0];
        if (k < 12) {
            auto const solved = baseline::hindsight(made.instance, {60, 1, 0});
            ASSERT_TRUE(solved.optimal());
            ASSERT_EQ(solved.upper, least);
        }
        // As printed, M = T, three of sum T do not fit, and the answer would always be no.
        made.instance.memory = target;
        if (yes) {
            ASSERT_GT(Rounded(made.instance).latency.back(), made.threshold);
        }
    }
    EXPECT_GT(answers[0], 10);
    EXPECT_GT(answers[1], 10);
}

TEST(Reductions, LeastMakespanAnswersPartition)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int answers[2] = {};
    for (int k = 0; k < 200; ++k) {
        Numbers x(2 + rng() % 6);
        for (auto& value : x) value = 1 + static_cast<std::int64_t>(rng() % 12);
        if (!partition_fault(x).empty()) continue;
        auto const sum = std::accumulate(x.begin(), x.end(), std::int64_t{0});
        bool yes = false;
        for (Mask set = 0; set < Mask{1} << x.size(); ++set)
            yes = yes || 2 * sum_over(set, [&](std::size_t i) { return x[i]; }) == sum;
        auto const made = reduce_partition(x);
        ASSERT_EQ(Rounded(made.instance).makespan.back() == made.threshold, yes);
        ASSERT_GE(Rounded(made.instance).makespan.back(), made.threshold);
        ++answers[yes ? 1 : 0];
    }
    EXPECT_GT(answers[0], 20);
    EXPECT_GT(answers[1], 20);
}

TEST(Reductions, SayWhatNumbersMustBe)
{
    EXPECT_EQ(three_partition_fault({8, 9}), "3 m numbers, m >= 1");
    EXPECT_EQ(three_partition_fault({5, 5, 10}),
              "numbers strictly between T/4 and T/2, T = 20; 5 is not");
    EXPECT_EQ(three_partition_fault({1, 1, 1, 1, 1, 2}),
              "3 m numbers whose sum is a multiple of m; 7 is none of 2");
    EXPECT_EQ(three_partition_fault({8, 9, 10, 8, 8, 11}), "");
    EXPECT_EQ(partition_fault({}), "at least one number");
    EXPECT_EQ(partition_fault({0, 1}), "whole numbers from 1 of sum at most 1000000000");
    EXPECT_EQ(partition_fault({600'000'000, 600'000'000}),
              "whole numbers from 1 of sum at most 1000000000");
    EXPECT_EQ(partition_fault({500'000'000, 500'000'000}), "");
    EXPECT_EQ(partition_fault({1, 2, 5}),
              "numbers of which none is more than half of the sum (else "
              "there is no such partition); 5 is");
}

} // namespace
} // namespace crx
