// WANG Lemma 2, selector by selector, and what follows from it (analysis/sorted_f/transformed.hh).
#include "analysis/sorted_f/transformed.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace crx::sorted_f {
namespace {

using crx_test::known_at_0;

OwnedInstance random_instance(std::mt19937_64& rng)
{
    auto const memory = 4 + static_cast<int>(rng() % 28);
    std::vector<std::pair<int, int>> requests(2 + rng() % 9);
    for (auto& [s, o] : requests) {
        auto const size = 1 + static_cast<int>(rng() % static_cast<std::uint64_t>(memory));
        o = 1 + static_cast<int>(rng() % static_cast<std::uint64_t>(size));
        s = size - o;
    }
    return known_at_0(memory, requests);
}

// Whoever chooses the batches: if each keeps Lemma 1, lengths double from batch to batch of a
// group, and `separate` is below 3 group and 4 align.
TEST(WangLemma2, FollowsFromLemma1ForEverySelector)
{
    std::mt19937_64 rng(crx_test::test_seed() + 30);
    for (auto const selector :
         {Selector::exact, Selector::scaled, Selector::swap, Selector::quantile}) {
        std::int64_t compared = 0, deeper = 0, left_out = 0;
        for (int k = 0; k < 20'000; ++k) {
            auto const instance = random_instance(rng);
            auto const made =
                batches(instance, {selector, 4, 1, static_cast<std::uint64_t>(k)}).value();
            if (!std::ranges::all_of(
                    made, [&](Batch const& batch) { return keeps_lemma_1(instance, batch); })) {
                ++left_out;
                continue;
            }
            auto const transformed = transform(instance, made);
            auto const growth = group_growth(instance, made, transformed.terminal);
            ASSERT_EQ(growth.not_doubled, 0);
            ASSERT_EQ(growth.broken, 0);
            ASSERT_LT(transformed.separate, 3 * transformed.group);
            ASSERT_LT(transformed.separate, 4 * transformed.align);
            compared += growth.compared;
            deeper += growth.compared > 1;
        }
        EXPECT_GT(compared, 1000);
        EXPECT_GT(deeper, 100);
        if (selector == Selector::exact || selector == Selector::scaled)
            EXPECT_EQ(left_out, 0);
        else
            EXPECT_GT(left_out, 100);
    }
}

/// Two requests of the first batch end at 1, one later than the second batch's only one.
void expect_broken(OwnedInstance const& instance, Settings const& settings)
{
    auto const made = batches(instance, settings).value();
    ASSERT_EQ(made, (std::vector<Batch>{{2, 3, 1}, {0}}));
    auto const transformed = transform(instance, made);
    ASSERT_EQ(transformed.terminal, (std::vector<std::size_t>{1}));
    auto const growth = group_growth(instance, made, transformed.terminal);
    EXPECT_EQ(growth.compared, 1);
    EXPECT_EQ(growth.broken, 1);
    auto const exact = batches(instance, {}).value();
    EXPECT_EQ(group_growth(instance, exact, transform(instance, exact).terminal).not_doubled, 0);
}

// M = 17. Swaps start from the three requests of least s + o, which fill 16, and (3, 13) does not
// fit in place of (0, 14). Means 16/3 and 13 double, but max 14 is above 13.
TEST(WangLemma2, BrokenBySwaps)
{
    expect_broken(known_at_0(17, {{3, 13}, {0, 14}, {0, 1}, {0, 1}}), {Selector::swap, 0, 1, 0});
}

// M = 18. Whatever its sample, Phase 1 takes both (0, 1) and no more; (6, 12), first by o / (s +
// o), does not fit beside them, (3, 13) does.
TEST(WangLemma2, BrokenByQuantiles)
{
    for (std::uint64_t number = 0; number < 20; ++number)
        expect_broken(known_at_0(18, {{6, 12}, {3, 13}, {0, 1}, {0, 1}}),
                      {Selector::quantile, 0, 1, number});
}

// With it goes Theorem 5, by any factor: 2L + 1 of (L - 1, 1) and one of (0, L) fill M = 2
// L (L + 1), so that none of the 2L of (L - 2, 3), which are a token larger, can be swapped in.
// They are the second batch of the group, and each waits L for the first.
TEST(WangLemma2, WithoutItTheorem5IsBrokenByAnyFactor)
{
    for (int const L : {5, 20, 80}) {
        std::vector<std::pair<int, int>> requests{{0, L}};
        for (int k = 0; k <= 2 * L; ++k) requests.push_back({L - 1, 1});
        for (int k = 0; k < 2 * L; ++k) requests.push_back({L - 2, 3});
        auto const instance = known_at_0(2 * L * (L + 1), requests);
        auto const made = batches(instance, {Selector::swap, 0, 1, 0}).value();
        ASSERT_EQ(made.size(), 2u);
        auto const transformed = transform(instance, made);
        EXPECT_EQ(transformed.group, 9 * L + 1);
        EXPECT_EQ(transformed.separate, 9 * L + 1 + 2 * L * L);
    }
}

// How near 3 and 4: batches of n equal sizes, n - 1 outputs c and one 2 c, the next c just above
// (2 + 1/n) mean. Growth is (2n + 1)(n + 1)/n^2 a batch, 2 as n grows, and the last batch is all c,
// or ends with 2 c, for the sums 3 and 4.
TEST(WangLemma2, SumsInsideAGroupComeNearTheirBounds)
{
    constexpr int n = 12, count = 6;
    for (int const last_factor : {1, 2}) {
        std::vector<std::pair<int, int>> requests;
        std::vector<int> lengths;
        int c = 2;
        for (int k = 0; k < count; ++k, c = (2 * n + 1) * (n + 1) * c / (n * n) + 1) {
            lengths.insert(lengths.end(), n - 1, c);
            lengths.push_back(k + 1 < count ? 2 * c : last_factor * c);
        }
        auto const size = *std::ranges::max_element(lengths);
        for (auto const o : lengths) requests.push_back({size - o, o});
        auto const instance = known_at_0(Tokens{n} * size, requests);
        auto const made = batches(instance, {}).value();
        auto const transformed = transform(instance, made);
        ASSERT_EQ(made.size(), std::size_t{count});
        ASSERT_EQ(transformed.terminal.size(), 1u);
        double sum = 0, mean = 0;
        for (auto const& batch : made) sum += instance.output[batch.back()];
        for (auto const i : made.back()) mean += instance.output[i] / double{n};
        if (last_factor == 1)
            EXPECT_GT(sum, 2.5 * instance.output[made.back().back()]);
        else
            EXPECT_GT(sum, 3.2 * mean);
    }
}

} // namespace
} // namespace crx::sorted_f
