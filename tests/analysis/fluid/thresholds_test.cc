#include "analysis/fluid/thresholds.hh"

#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

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

/// Prompts of 1 with outputs of 1, 1,000 a second: D = 3,000 d1, and (9) wants n (1 - D) >= 1.
Load near_one(double d1) { return {1e-3, d1, {{1, 1}}, {1000}}; }

// In decimals D is exactly what is written, however near 1.
TEST(WaitThresholds, AreExactWhereLittleIsLeft)
{
    EXPECT_EQ(least_wait_thresholds(near_one(0.333e-3)), std::vector<std::int64_t>{1000});
    EXPECT_EQ(least_wait_thresholds(near_one(0.333333e-3)), std::vector<std::int64_t>{1'000'000});
    EXPECT_EQ(least_wait_thresholds(near_one(0.333333e-3), Margin::inside),
              std::vector<std::int64_t>{1'000'001});
    EXPECT_NE(broken_wait_condition(near_one(0.333333e-3), {999'999}), "");
    EXPECT_EQ(broken_wait_condition(near_one(0.333333e-3), {1'000'000}), "");
    EXPECT_EQ(least_wait_thresholds(near_one(0.333333333e-3)),
              std::vector<std::int64_t>{1'000'000'000});
    // D = 1 in decimals, though a little less in doubles.
    Load const full{0.1, 0.2, {{2, 1}, {2, 1}, {2, 1}}, {0.86, 0.02, 0.12}};
    EXPECT_LT(utilisation(full), 1);
    EXPECT_FALSE(least_wait_thresholds(full).has_value());
}

TEST(WaitThresholds, RefuseWhatIsTooNearOne)
{
    auto const refusal = [](Load const& load) -> std::string {
        try {
            least_wait_thresholds(load);
        } catch (std::domain_error const& error) {
            return error.what();
        }
        return "found";
    };
    EXPECT_EQ(refusal(near_one(0.33333333333333e-3)),
              "the least thresholds are above 1000000000, as 1 - D is only 9.95e-15");
    // Irregular rates: rounding up takes a step for every few prompts.
    EXPECT_EQ(refusal({1e-3, 1e-3, {{1, 1}, {1, 2}}, {100.0000001, 116.66666650}}),
              "the least thresholds are not found in 20000000 steps, as 1 - D is only 7e-10");
    EXPECT_EQ(refusal({1e-3, 1e-3, {{1, 1}, {1, 2}, {2, 5}}, {100.0001, 11.7121, 36.0885}}),
              "found");
}

// One type: the least n with n (1 - D) >= lambda d0 in integers of 128 bits. Decimals of few digits
// meet equality often.
TEST(WaitThresholds, OfOneTypeAreThoseOfIntegers)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int equal = 0;
    for (int k = 0; k < 20'000; ++k) {
        auto const below = [&](std::int64_t n) {
            return static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(n));
        };
        PromptType const type{1 + below(3), 1 + below(4)};
        auto const tokens = tokens_of_all_stages(type);
        auto const rate = 1 + below(2000);               // tenths
        auto const d0 = 1 + below(50);                   // thousandths
        auto const full = 1'000'000'000 / rate / tokens; // hundred-millionths make D = 1
        auto const d1 = full - below(std::min<std::int64_t>(full, 1 + (1 << below(20))));
        __int128 const left = __int128{1'000'000'000} - static_cast<__int128>(d1) * rate * tokens;
        if (left <= 0 || d1 <= 0) continue;
        auto const need = static_cast<__int128>(rate) * d0 * 100'000; // over 1 - D: prompts
        auto const least = static_cast<std::int64_t>((need + left - 1) / left);
        equal += need % left == 0;
        Load const load{static_cast<double>(d0) / 1e3,
                        static_cast<double>(d1) / 1e8,
                        {type},
                        {static_cast<double>(rate) / 10}};
        ASSERT_EQ(least_wait_thresholds(load)->front(), std::max<std::int64_t>(1, least))
            << rate << " " << d0 << " " << d1;
        ASSERT_EQ(least_wait_thresholds(load, Margin::inside)->front(),
                  static_cast<std::int64_t>(need / left) + 1);
        if (least > 1) {
            ASSERT_NE(broken_wait_condition(load, {least - 1}), "");
        }
    }
    EXPECT_GT(equal, 100);
}

/// The least solution of (9) as the climb from 1 gives it, in doubles and without tolerance.
std::vector<std::int64_t> climbed(Load const& load)
{
    std::vector<std::int64_t> n(load.types.size(), 1);
    for (bool risen = true; risen;) {
        risen = false;
        auto const time = static_cast<long double>(load.overhead) +
                          static_cast<long double>(load.per_token) *
                              static_cast<long double>(wait_batch_tokens(load.types, n));
        for (std::size_t j = 0; j < n.size(); ++j) {
            auto const need =
                static_cast<std::int64_t>(std::ceil(static_cast<long double>(load.rate[j]) * time));
            risen = risen || need > n[j];
            n[j] = std::max(n[j], need);
        }
    }
    return n;
}

// Where it starts does not matter. Rates of 15 digits do not meet equality.
TEST(WaitThresholds, OfSeveralTypesAreThoseOfAClimbFromOne)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    std::uniform_real_distribution<double> unit(0.01, 1);
    for (int k = 0; k < 2000; ++k) {
        Load load{unit(rng), 1, {{1, 1}, {3, 2}, {2, 7}}, {unit(rng), unit(rng), unit(rng)}};
        load.per_token = (1 - std::pow(10, -4 * unit(rng))) / utilisation(load);
        ASSERT_EQ(least_wait_thresholds(load), climbed(load));
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

// One segment of one type is WAIT inside, and the climb of two starts where it must.
TEST(NestedThresholds, WhereLittleIsLeft)
{
    auto const one = nested_load(near_one(0.333333e-3), {1});
    EXPECT_EQ(least_nested_thresholds(one), std::vector<std::int64_t>{1'000'001});
    EXPECT_EQ(broken_nested_condition(one, {1'000'001}), "");
    EXPECT_NE(broken_nested_condition(one, {1'000'000}), "");
    EXPECT_THROW(least_nested_thresholds(nested_load(near_one(0.33333333333333e-3), {1})),
                 std::domain_error);
    // 3 a second to stage 1, half of them on to stage 2: 9 + 4.5 tokens a second, 13.5 d1 = 1 -
    // 1e-7.
    Load const two{1e-3, 0.0740740666666667, {{1, 1}, {1, 2}}, {1.5, 1.5}};
    auto const segments = nested_load(two, {1, 2});
    auto const n = *least_nested_thresholds(segments);
    EXPECT_EQ(broken_nested_condition(segments, n), "");
    EXPECT_NE(broken_nested_condition(segments, {n[0] - 1, n[1]}), "");
    EXPECT_GT(n[0], 29'999);
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
    // A threshold that exceeds p times the one before by rounding alone: the search for a bracket
    // has to end.
    auto const just_below = std::nextafter(1.0 / 3, 0.0);
    EXPECT_EQ(decay_rate(3, 1, just_below), decay_rate_lower_bound(3, 1, just_below));
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
