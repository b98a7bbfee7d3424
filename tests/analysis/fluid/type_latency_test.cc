#include "analysis/fluid/heavy_traffic.hh"
#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace crx::fluid {
namespace {

/// `arrivals` prompts at 0 that wait `seconds` each.
TypeTally tally(std::int64_t arrivals, double seconds)
{
    TypeTally t;
    t.arrivals = t.completed = t.first_tokens = arrivals;
    t.completion_time = t.first_token_time =
        static_cast<Unsigned128>(seconds * 1e9) * static_cast<Unsigned128>(arrivals);
    return t;
}

/// `n` of each kind of path.
std::vector<TypeTally> paths_of(int n, std::initializer_list<TypeTally> kinds)
{
    std::vector<TypeTally> paths;
    for (auto const& kind : kinds) paths.insert(paths.end(), static_cast<std::size_t>(n), kind);
    return paths;
}

// By hand: 1 prompt of 6 s and 3 of 2 s are 3 s a prompt; residuals 6 - 3 = 3 and 6 - 9 = -3. Of
// ten paths their variance is 10, so the standard error is sqrt(10 / 10) / 2 = 0.5; Student's t of
// nine degrees 2.26216. Paths without prompts change nothing.
TEST(TypePoint, IsTheMeanOverAllPrompts)
{
    for (int without : {0, 30}) {
        auto paths = paths_of(5, {tally(1, 6), tally(3, 2)});
        paths.resize(static_cast<std::size_t>(10 + without));
        auto const point = type_point(paths, 10'000'000'000, 0.95);
        EXPECT_EQ(point.arrivals, 20);
        EXPECT_EQ(point.completed, 20);
        EXPECT_EQ(point.first_tokens, 20);
        EXPECT_DOUBLE_EQ(point.latency.mean, 3);
        EXPECT_NEAR(point.latency.half_width, 0.5 * 2.26216, 1e-5) << without;
        EXPECT_DOUBLE_EQ(point.first_token.mean, 3);
    }
    // Who is still there has waited up to the horizon.
    auto waiting = tally(1, 6);
    waiting.arrivals = 2;
    EXPECT_DOUBLE_EQ(type_point({waiting, waiting}, 10'000'000'000, 0.95).latency.mean, 8);
    EXPECT_TRUE(std::isnan(type_point({tally(0, 0), tally(0, 0)}, 1, 0.95).latency.mean));
}

// Nine paths with prompts are too few, whatever the number of paths; where all prompts wait alike
// nothing is known of their spread.
TEST(TypePoint, HasNoIntervalOfFewOrEqualPaths)
{
    auto few = paths_of(3, {tally(1, 6), tally(3, 2), tally(2, 1)});
    few.resize(1000);
    EXPECT_DOUBLE_EQ(type_point(few, 10'000'000'000, 0.95).latency.mean, 42 / 18.0);
    EXPECT_TRUE(std::isnan(type_point(few, 10'000'000'000, 0.95).latency.half_width));
    few.back() = tally(1, 6);
    EXPECT_GT(type_point(few, 10'000'000'000, 0.95).latency.half_width, 0.1);
    auto const equal = paths_of(20, {tally(1, 0.1), tally(7, 0.1), tally(0, 0)});
    EXPECT_NEAR(type_point(equal, 10'000'000'000, 0.95).latency.mean, 0.1, 1e-12);
    EXPECT_TRUE(std::isnan(type_point(equal, 10'000'000'000, 0.95).latency.half_width));
}

// H0: of 200 paths, each with one prompt with probability q and a wait of 1 .. 5 s, the interval
// holds 3 s in 95 % of the samples that have one (of 20,000 samples at each q it was 94.0 to
// 94.9 %). Asked where 500 of 2,000 samples have one, which is where at least 1,000 do: 4.4 % are
// 6.1 standard deviations, false alarm below 1e-8. With 199 degrees of freedom and an interval of
// every sample with a prompt it is 41 % where one prompt is expected.
TEST(TypePoint, IntervalOfARareTypeHoldsTheMean)
{
    std::mt19937_64 random(crx_test::test_seed());
    for (double const q : {0.001, 0.01, 0.03, 0.05, 0.1}) {
        int given = 0, held = 0;
        for (int sample = 0; sample < 2000; ++sample) {
            std::vector<TypeTally> paths;
            for (int path = 0; path < 200; ++path)
                paths.push_back(std::bernoulli_distribution(q)(random)
                                    ? tally(1, static_cast<double>(1 + random() % 5))
                                    : tally(0, 0));
            auto const point = type_point(paths, 10'000'000'000, 0.95);
            if (!std::isfinite(point.latency.half_width)) continue;
            ++given;
            held += std::abs(point.latency.mean - 3) <= point.latency.half_width;
        }
        if (q == 0.001) {
            EXPECT_EQ(given, 0); // ten prompts of 200: probability 2e-14 a sample
        }
        if (given >= 500) {
            EXPECT_NEAR(held / static_cast<double>(given), 0.95, 0.045) << q;
        }
    }
}

// H0: the interval holds the mean of a prompt, 3 s, in 95 % of samples of 100 paths with 0 .. 4
// prompts each, whose waits are 1 .. 5 s. False alarm below 1e-9: 2,000 samples, 6.2 standard
// deviations of a binomial, +- 3 % (the ratio's bias and skewness are within 0.5 %). The planted
// fault, a mean of path means in which paths without prompts count as 0, is off every time.
TEST(TypePoint, IntervalHoldsTheMean)
{
    std::mt19937_64 random(crx_test::test_seed());
    int held = 0, held_by_fault = 0;
    for (int sample = 0; sample < 2000; ++sample) {
        std::vector<TypeTally> paths;
        double path_means = 0;
        for (int path = 0; path < 100; ++path) {
            TypeTally sum;
            auto const n = random() % 5;
            for (std::uint64_t k = 0; k < n; ++k) {
                auto const one = tally(1, static_cast<double>(1 + random() % 5));
                ++sum.arrivals;
                ++sum.completed;
                sum.completion_time += one.completion_time;
            }
            if (n > 0)
                path_means += static_cast<double>(sum.completion_time) * 1e-9 /
                              static_cast<double>(sum.arrivals) / 100;
            paths.push_back(sum);
        }
        auto const point = type_point(paths, 10'000'000'000, 0.95);
        held += std::abs(point.latency.mean - 3) <= point.latency.half_width;
        held_by_fault += std::abs(path_means - 3) <= point.latency.half_width;
    }
    EXPECT_NEAR(held / 2000.0, 0.95, 0.035);
    EXPECT_LT(held_by_fault, 1500);
}

} // namespace
} // namespace crx::fluid
