#include "analysis/sorted_f/transformed.hh"

#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/schedule.hh"
#include "support/exhaustive_optimum.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>

namespace crx::sorted_f {
namespace {

using crx_test::known_at_0;

OwnedInstance random_instance(std::mt19937_64& rng, std::size_t most)
{
    auto const memory = 4 + static_cast<int>(rng() % 20);
    std::vector<std::pair<int, int>> requests(1 + rng() % most);
    for (auto& [s, o] : requests) {
        auto const size = 1 + static_cast<int>(rng() % static_cast<std::uint64_t>(memory));
        o = 1 + static_cast<int>(rng() % static_cast<std::uint64_t>(size));
        s = size - o;
    }
    return known_at_0(memory, requests);
}

// By hand. M = 10: (1, 1) twice and (2, 5). F of the two is 1/2; with the third 7/9. So X_1 = {0,
// 1}, X_2 = {2}, and taking r_{2,1} would raise F(X_1): one group, which X_2 ends. separate 1 + 1 +
// (1 + 5); group and align all at 0: 1 + 1 + 5.
TEST(TransformedSortedF, ByHand)
{
    auto const instance = known_at_0(10, {{1, 1}, {1, 1}, {2, 5}});
    std::vector<Batch> const batches{{0, 1}, {2}};
    ASSERT_EQ(sorted_f::batches(instance, {}), batches);
    auto const made = transform(instance, batches);
    EXPECT_EQ(made.terminal, (std::vector<std::size_t>{1}));
    EXPECT_EQ(made.separate, 8);
    EXPECT_EQ(made.group, 7);
    EXPECT_EQ(made.align, 7);
}

// M = 6: (1, 1), (1, 2) and (4, 1), (3, 2). F({0, 1}) = 3/4; the next batch, {2}, has r = (4, 1),
// which would not raise it: 4/9. Two groups of a batch, then {3} a third, as 2/1 would not raise
// 1/1 beyond 3/4. Group waits max: 2, 3; align means: 3/2, 5/2.
TEST(TransformedSortedF, GroupsByHand)
{
    auto const instance = known_at_0(6, {{1, 1}, {1, 2}, {4, 1}, {3, 2}});
    std::vector<Batch> const batches{{0, 1}, {2}, {3}};
    ASSERT_EQ(sorted_f::batches(instance, {}), batches);
    auto const made = transform(instance, batches);
    EXPECT_EQ(made.terminal, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(made.separate, 6 + 2 + 3);
    EXPECT_EQ(made.group, 6 + 2 + 3);
    EXPECT_EQ(made.align, 6 + Fraction(3, 2) + Fraction(5, 2));
}

// Starts 0 0 2 (outputs 2 3 1, M = 10): A_1 = {0, 1}, delta_1 = 3, and request 2 ends at 3 too: one
// group. Sizes 3, 4, 6: W_1 = {0, 1}, W_2 = {2}; align 1 x 5/2 + 6.
TEST(TransformedSchedule, ByHand)
{
    auto const instance = known_at_0(10, {{1, 2}, {1, 3}, {5, 1}});
    auto const made = transform_schedule(instance, {0, 0, 2});
    EXPECT_EQ(made.ends, (std::vector<Rounds>{3}));
    EXPECT_EQ(made.batches, (std::vector<Batch>{{0, 1}, {2}}));
    EXPECT_EQ(made.align, Fraction(17, 2));
}

// `separate` is a schedule, and every chain link that the proofs carry without a limit holds:
// Lemma 1 for exact batches, group <= separate, align <= group < 2 align.
TEST(TransformedSortedF, SeparateIsAScheduleAndTheOthersFollow)
{
    std::mt19937_64 rng(crx_test::test_seed() + 20);
    int several = 0;
    for (int k = 0; k < 3000; ++k) {
        auto const instance = random_instance(rng, 12);
        auto const batches = sorted_f::batches(instance, {}).value();
        auto const made = transform(instance, batches);
        auto const starts = separate_starts(instance, batches);
        ASSERT_FALSE(baseline::schedule_fault(instance, starts));
        ASSERT_EQ(baseline::total_latency(instance, starts), made.separate);
        ASSERT_EQ(made.terminal.back() + 1, batches.size());
        for (auto const& batch : batches) ASSERT_TRUE(keeps_lemma_1(instance, batch));
        ASSERT_LE(made.group, made.separate);
        ASSERT_LE(made.align, made.group);
        ASSERT_LT(made.group, 2 * made.align); // Theorem 6
        several += made.terminal.size() < batches.size() && made.terminal.size() > 1;
    }
    EXPECT_GT(several, 20);
}

// Theorem 4, request by request and for every selector: nobody starts later than in `separate`
// (transformed.hh has the argument).
TEST(TransformedSortedF, NobodyStartsLaterThanSeparate)
{
    std::mt19937_64 rng(crx_test::test_seed() + 21);
    int earlier = 0;
    for (int k = 0; k < 2000; ++k) {
        auto const instance = random_instance(rng, 20);
        for (auto const selector :
             {Selector::exact, Selector::scaled, Selector::swap, Selector::quantile}) {
            auto const made =
                sorted_f::batches(instance, {selector, 6, 1, static_cast<std::uint64_t>(k)})
                    .value();
            auto const separate = separate_starts(instance, made);
            auto const starts = execute_in_order(instance, order_of(made)).start;
            for (std::size_t i = 0; i < starts.size(); ++i) {
                ASSERT_LE(starts[i], separate[i]);
                earlier += starts[i] < separate[i];
            }
        }
    }
    EXPECT_GT(earlier, 1000);
}

// Theorem 8 claims align <= OPT_align for any list. With M = 6 and four requests of one token the
// exact selector leaves 3 and 4 alone, while 3 + 3 and 4 + 2 fill two batches (docs/errata.md).
TEST(TransformedSortedF, Theorem8NeedsSmallRequests)
{
    auto const instance = known_at_0(6, {{2, 1}, {2, 1}, {3, 1}, {1, 1}});
    auto const made = sorted_f::batches(instance, {}).value();
    EXPECT_EQ(made, (std::vector<Batch>{{0, 3}, {1}, {2}}));
    EXPECT_EQ(transform(instance, made).align, 7);
    std::vector<Rounds> const best{0, 0, 1, 1};
    ASSERT_FALSE(baseline::schedule_fault(instance, best));
    std::vector<oracle::Request> requests;
    for (std::size_t i = 0; i < 4; ++i) requests.push_back({0, instance.prompt[i], 1, 1, 1});
    EXPECT_EQ(baseline::total_latency(instance, best),
              crx_test::ExhaustiveOptimum(requests, 6).find());
    EXPECT_EQ(transform_schedule(instance, best).align, 6);
}

// Theorem 7 and the ends of the chain on small instances with their optimum.
TEST(TransformedSchedule, OptimumAlignedIsBelowSixTimesTheOptimum)
{
    std::mt19937_64 rng(crx_test::test_seed() + 22);
    for (int k = 0; k < 300; ++k) {
        auto const instance = random_instance(rng, 5);
        auto const solved = baseline::hindsight(instance, {60, 1, 0});
        ASSERT_TRUE(solved.optimal());
        auto const aligned = transform_schedule(instance, solved.best().starts);
        ASSERT_LE(aligned.align, 6 * solved.upper); // Theorem 7
        std::size_t held = 0;
        for (auto const& batch : aligned.batches) held += batch.size();
        ASSERT_EQ(held, instance.output.size());
        ASSERT_LT(sorted_f::execute(instance, {}).value().outcome.total_latency,
                  48 * solved.upper); // Theorem 3
    }
}

} // namespace
} // namespace crx::sorted_f
