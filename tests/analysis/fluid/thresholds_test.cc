#include "analysis/fluid/overflow_bound.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx::fluid {
namespace {

/// AO appendix A.3: types (1,1) and (1,2), one a second each; d0 = 1 - 9 d1 makes an iteration 1 s.
Load papers_instance(double d1) { return {1 - 9 * d1, d1, {{1, 1}, {1, 2}}, {1, 1}}; }

TEST(Equilibrium, PapersInstance)
{
    EXPECT_EQ(tokens_of_all_stages({1, 1}), 3);
    EXPECT_EQ(tokens_of_all_stages({1, 2}), 6);
    auto const e = equilibrium(papers_instance(0.05));
    EXPECT_NEAR(e.utilisation, 0.45, 1e-15);
    EXPECT_NEAR(e.iteration, 1, 1e-15);
    EXPECT_NEAR(e.memory, 9, 1e-14);
    EXPECT_NEAR(e.throughput, 3, 1e-15);
    EXPECT_NEAR(e.throughput_as_in_8, 5, 1e-15); // AO (8) counts the prefill
    EXPECT_NEAR(e.at_stage[0], 1, 1e-15);
}

// Erratum: Proposition 1 prints d0 for d1. At d0 = 0.1, d1 = 0.05 the printed product is 0.9, the
// right one 0.45; at d0 = 0.2 the printed one is above 1 although the load is stable.
TEST(Equilibrium, StabilityDoesNotDependOnTheOverhead)
{
    for (double const d0 : {0.001, 0.2, 50.0})
        EXPECT_NEAR(utilisation({d0, 0.05, {{1, 1}, {1, 2}}, {1, 1}}), 0.45, 1e-15);
}

TEST(Equilibrium, SaysWhatIsUnstable)
{
    try {
        equilibrium({0.1, 0.2, {{1, 1}, {1, 2}}, {1, 1}});
        FAIL();
    } catch (std::domain_error const& error) {
        EXPECT_STREQ(error.what(),
                     "unstable: D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2) = 1.8, must be below 1");
    }
    try {
        equilibrium({0.1, 0.01, {{1, 1}}, {0}});
        FAIL();
    } catch (std::domain_error const& error) {
        EXPECT_STREQ(error.what(), "rate of type 0 = 0 is not accepted: must be positive");
    }
}

// At d1 = 0.05, n = (1, 1) makes a batch of 9 tokens, 1 s, one arrival expected of each type:
// equal.
TEST(WaitThresholds, AtEqualityAndInside)
{
    auto const load = papers_instance(0.05);
    EXPECT_EQ(least_wait_thresholds(load), (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(broken_wait_condition(load, {1, 1}), "");
    EXPECT_NE(broken_wait_condition(load, {1, 1}, Margin::inside), "");
    // Inside: n = (2, 2) makes 0.55 + 0.05 * 18 = 1.45 < 2.
    EXPECT_EQ(least_wait_thresholds(load, Margin::inside), (std::vector<std::int64_t>{2, 2}));
    EXPECT_FALSE(least_wait_thresholds({0.1, 0.12, {{1, 1}, {1, 2}}, {1, 1}}).has_value());
}

// No component can be lowered: by brute force over all smaller vectors.
TEST(WaitThresholds, AreTheLeast)
{
    Load const load{0.3, 0.004, {{4, 3}, {2, 9}, {7, 1}}, {1.5, 0.6, 2.2}};
    auto const n = *least_wait_thresholds(load);
    EXPECT_EQ(broken_wait_condition(load, n), "");
    for (std::int64_t a = 1; a <= n[0] + 1; ++a)
        for (std::int64_t b = 1; b <= n[1] + 1; ++b)
            for (std::int64_t c = 1; c <= n[2] + 1; ++c)
                if (broken_wait_condition(load, {a, b, c}).empty()) {
                    EXPECT_TRUE(a >= n[0] && b >= n[1] && c >= n[2]);
                }
}

/// Tokens of n_i prompts at every stage of segment i, one stage at a time.
Tokens stage_by_stage(Tokens prompt, std::vector<Tokens> const& ends,
                      std::vector<std::int64_t> const& n)
{
    Tokens sum = 0;
    std::size_t i = 0;
    for (Tokens k = 0; k <= ends.back(); ++k) {
        if (k > ends[i]) ++i;
        sum += n[i] * (prompt + k);
    }
    return sum;
}

// Erratum: (11) as printed is too small for two segments and too large for many.
TEST(NestedThresholds, BatchTokens)
{
    EXPECT_EQ(nested_batch_tokens(1, {1, 2}, {2, 1}), stage_by_stage(1, {1, 2}, {2, 1}));
    EXPECT_EQ(nested_batch_tokens(1, {1, 2}, {2, 1}), 9);
    EXPECT_EQ(nested_batch_tokens_as_printed(1, {1, 2}, {2, 1}), 5.5);
    std::vector<Tokens> const ends = {20, 40, 80, 160};
    std::vector<std::int64_t> const n = {15, 14, 12, 8};
    EXPECT_EQ(nested_batch_tokens(10, ends, n), stage_by_stage(10, ends, n));
    EXPECT_GT(nested_batch_tokens_as_printed(10, ends, n), nested_batch_tokens(10, ends, n));
}

TEST(NestedThresholds, AreTheLeast)
{
    Load const load{0.3, 0.002, {{3, 2}, {3, 5}, {3, 9}}, {1, 2, 1.5}};
    auto const segments = nested_load(load, {2, 5, 9});
    EXPECT_NEAR(segments.passing[0], 3.5 / 4.5, 1e-15);
    EXPECT_NEAR(segments.passing[1], 1.5 / 3.5, 1e-15);
    EXPECT_NEAR(nested_utilisation(segments), utilisation(load), 1e-15); // no end inside a segment
    auto const n = *least_nested_thresholds(segments);
    EXPECT_EQ(broken_nested_condition(segments, n), "");
    for (std::int64_t a = 1; a <= n[0] + 2; ++a)
        for (std::int64_t b = 1; b <= n[1] + 2; ++b)
            for (std::int64_t c = 1; c <= n[2] + 2; ++c)
                if (broken_nested_condition(segments, {a, b, c}).empty()) {
                    EXPECT_TRUE(a >= n[0] && b >= n[1] && c >= n[2]);
                }
}

// Fewer segments than types cost utilisation: prompts are planned to their segment's end.
TEST(NestedThresholds, NoneExistWhereTheSegmentsAreOverloaded)
{
    Load const load{0.3, 0.004, {{3, 2}, {3, 5}, {3, 9}}, {1, 2, 1.5}};
    EXPECT_LT(utilisation(load), 1);
    EXPECT_TRUE(least_nested_thresholds(nested_load(load, {2, 5, 9})).has_value());
    EXPECT_GT(nested_utilisation(nested_load(load, {9})), 1);
    EXPECT_FALSE(least_nested_thresholds(nested_load(load, {9})).has_value());
}

TEST(NestedThresholds, RatesThatVary)
{
    Load const load{0.3, 0.002, {{3, 2}, {3, 5}}, {1, 2}};
    auto const segments = nested_load(load, {2, 5}, {{1, 2}, {3, 1}});
    EXPECT_EQ(segments.rate, 4);
    EXPECT_NEAR(segments.passing[0], 2.0 / 3, 1e-15);
}

// Erratum: AO 6.2's thresholds 15:14:12:8 equal p exactly and so break the strict (10).
TEST(NestedThresholds, ThePapersOwnAreNotStrict)
{
    Load const load{1e-2, 1e-9, {{10, 20}, {10, 40}, {10, 80}, {10, 160}}, {20, 40, 80, 160}};
    auto const segments = nested_load(load, {20, 40, 80, 160});
    EXPECT_EQ(broken_nested_condition(segments, {15, 14, 12, 8}),
              "AO (10): segment 2 has threshold 14, which must exceed p_1 n_1 = 14");
}

TEST(NestedThresholds, RefusesSegmentsThatOverlap)
{
    Load const load{0.3, 0.002, {{3, 2}, {3, 5}}, {1, 2}};
    EXPECT_THROW(nested_load(load, {4, 4, 5}), std::domain_error);
    EXPECT_THROW(nested_load(load, {2, 4}), std::domain_error);
}

TEST(DecayRate, SolvesTheEquation)
{
    // before = 2, n = 1: (1 - p + p z)^2 = z with z = e^theta, so z = ((1-p)/p)^2.
    EXPECT_NEAR(decay_rate(2, 1, 0.25), std::log(9.0), 1e-12);
    EXPECT_NEAR(decay_rate(2, 1, 0.499), 2 * std::log(0.501 / 0.499), 1e-13);
    EXPECT_EQ(decay_rate(3, 3, 0.5), INFINITY);
    EXPECT_EQ(decay_rate(3, 3, 1), INFINITY); // nobody leaves, as many are served as come
    EXPECT_THROW(decay_rate(4, 2, 0.5), std::domain_error);
    EXPECT_THROW(decay_rate(4, 3, 1), std::domain_error);
}

// Lemma 8 on a grid: theta is at least 8 D / before (not the printed 8 D / n) and rises with n and
// falls with p, one at a time.
TEST(DecayRate, LowerBoundAndMonotone)
{
    bool printed_fails = false;
    for (std::int64_t before = 2; before <= 60; ++before)
        for (double const p : {0.05, 0.3, 0.5, 0.7, 0.95}) {
            double last = 0;
            for (std::int64_t n = 1; n < before; ++n) {
                auto const drift = static_cast<double>(n) - static_cast<double>(before) * p;
                if (drift < 1e-9) continue;
                auto const theta = decay_rate(before, n, p);
                EXPECT_GE(theta, decay_rate_lower_bound(before, n, p) * (1 - 1e-12));
                EXPECT_GT(theta, last);
                EXPECT_GT(decay_rate(before, n, p * 0.99), theta);
                printed_fails = printed_fails || theta < 8 * drift / static_cast<double>(n);
                last = theta;
            }
        }
    EXPECT_TRUE(printed_fails);
}

// Erratum: theta does not rise with the drift D alone when before and p move together.
TEST(DecayRate, DoesNotRiseWithTheDriftAlone)
{
    EXPECT_LT(2 - 3 * 0.5, 20 - 30 * 0.6);
    EXPECT_GT(decay_rate(3, 2, 0.5), decay_rate(30, 20, 0.6));
}

// By hand: l = 1, ends 1, 2, n = (2, 2): theta is infinite, so the third part is 0.
TEST(MemoryBound, ThreeParts)
{
    NestedLoad const load{0.5, 0.01, 1, {1, 2}, 1, {0.5}};
    auto const bound = memory_bound(load, {2, 2}, 100, 0.1);
    EXPECT_EQ(bound.batch, 2 * 3 + 2 * 3);
    EXPECT_EQ(bound.queues, 2 * 2);
    EXPECT_EQ(bound.deviations, 0);
    EXPECT_EQ(bound.iterations, std::ceil(100 / 0.52));
    auto const other = memory_bound(load, {4, 3}, 100, 0.1);
    EXPECT_NEAR(other.deviations, 2 * std::log(other.iterations / 0.1) / decay_rate(4, 3, 0.5),
                1e-10);
}

TEST(QueueBounds, ByHand)
{
    EXPECT_DOUBLE_EQ(wait_queue_bound(1.5, 2), 4 + 1.5);
    EXPECT_DOUBLE_EQ(nested_queue_bound(4, 3, 0.5), 3 + 0.5);
}

} // namespace
} // namespace crx::fluid
