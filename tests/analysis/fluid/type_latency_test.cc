#include "analysis/fluid/type_latency.hh"
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

// By hand: 1 prompt of 6 s and 3 of 2 s are 3 s a prompt; residuals 6 - 3 = 3 and 6 - 9 = -3, their
// variance 18, so the standard error is sqrt(18 / 2) / 2 = 1.5; Student's t of one degree 12.7062.
TEST(TypePoint, IsTheMeanOverAllPrompts)
{
    auto const point = type_point({tally(1, 6), tally(3, 2)}, 10'000'000'000, 0.95);
    EXPECT_EQ(point.arrivals, 4);
    EXPECT_DOUBLE_EQ(point.latency.mean, 3);
    EXPECT_NEAR(point.latency.half_width, 1.5 * 12.7062, 1e-3);
    EXPECT_DOUBLE_EQ(point.first_token.mean, 3);
    // Who is still there has waited up to the horizon.
    auto waiting = tally(1, 6);
    waiting.arrivals = 2;
    EXPECT_DOUBLE_EQ(type_point({waiting, waiting}, 10'000'000'000, 0.95).latency.mean, 8);
    EXPECT_TRUE(std::isnan(type_point({tally(0, 0), tally(0, 0)}, 1, 0.95).latency.mean));
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
