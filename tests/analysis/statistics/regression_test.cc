#include "analysis/statistics/regression.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace crx {

namespace {

TEST(RegressLine, FindsALine)
{
    std::vector<FitPoint> const points{{1, 5, {}}, {2, 8, {}}, {4, 14, {}}};
    auto const fit = regress_line(points, 0.95);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->slope, 3, 1e-14);
    EXPECT_NEAR(fit->intercept, 2, 1e-13);
    EXPECT_NEAR(fit->r_squared, 1, 1e-14);
    EXPECT_NEAR(*fit->scatter, 0, 1e-12);
    EXPECT_FALSE(fit->sampling);
}

TEST(RegressLine, ScatterIsStudentsInterval)
{
    // By hand: x = 1 .. 5, y = 2, 4, 5, 4, 5: slope 6/10, intercept 2.2, residual squares 2.4,
    // standard error sqrt(0.8 / 10) = 0.282843; t(0.975, 3) = 3.182446.
    std::vector<FitPoint> const points{{1, 2, {}}, {2, 4, {}}, {3, 5, {}}, {4, 4, {}}, {5, 5, {}}};
    auto const fit = regress_line(points, 0.95);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->slope, 0.6, 1e-14);
    EXPECT_NEAR(fit->intercept, 2.2, 1e-14);
    EXPECT_NEAR(fit->r_squared, 0.6, 1e-14);
    EXPECT_NEAR(*fit->scatter, 3.182446305 * std::sqrt(0.08), 1e-8);
    EXPECT_EQ(fit->half_width(), fit->scatter);
}

TEST(RegressLine, SamplingHoldsForAnyDependence)
{
    // All intervals move together as far as the slope can go: +h right of the mean, -h left of it.
    double const h = 0.25;
    std::vector<FitPoint> points{{1, 2, h}, {2, 4, h}, {3, 5, h}, {4, 4, h}, {5, 5, h}};
    auto const fit = regress_line(points, 0.95);
    auto tilted = points;
    for (auto& p : tilted) p.y += p.x > 3 ? h : p.x < 3 ? -h : 0;
    auto const other = regress_line(tilted, 0.95);
    ASSERT_TRUE(fit && other);
    EXPECT_NEAR(*fit->sampling, other->slope - fit->slope, 1e-14);
    EXPECT_NEAR(*fit->sampling, h * 6 / 10, 1e-14);
    points[2].half_width.reset();
    EXPECT_FALSE(regress_line(points, 0.95)->sampling);
}

TEST(RegressLine, FindsAnExponent)
{
    std::vector<FitPoint> points;
    for (double x : {1e2, 1e4, 1e6, 1e8}) points.push_back({x, 0.03 * std::sqrt(x), {}});
    auto const fit = regress_power(points, 0.95);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->slope, 0.5, 1e-14);
    EXPECT_NEAR(std::exp(fit->intercept), 0.03, 1e-14);
    // Relative half-widths: one per cent of the two ends of two decades.
    std::vector<FitPoint> const ends{{1, 10, 0.1}, {100, 1000, 10}};
    auto const two = regress_power(ends, 0.95);
    EXPECT_NEAR(two->slope, 1, 1e-14);
    EXPECT_NEAR(*two->sampling, 0.02 / std::log(100), 1e-14);
    EXPECT_FALSE(two->scatter);
}

TEST(RegressLine, RefusesWhatHasNoSlope)
{
    std::vector<FitPoint> const column{{2, 1, {}}, {2, 5, {}}};
    EXPECT_FALSE(regress_line(column, 0.95));
    EXPECT_FALSE(regress_line({}, 0.95));
    std::vector<FitPoint> const zero{{0, 1, {}}, {2, 5, {}}};
    EXPECT_FALSE(regress_power(zero, 0.95));
    std::vector<FitPoint> const flat{{1, 5, {}}, {2, 5, {}}, {3, 5, {}}};
    EXPECT_EQ(regress_line(flat, 0.95)->slope, 0);
    EXPECT_EQ(regress_line(flat, 0.95)->r_squared, 1);
}

// H0: y = 2 + 3 x + N(0, 1), seven points: the interval at 0.9 holds the slope in 0.9 of the
// trials. False alarm below 1e-9 (Hoeffding, 40,000 trials: radius 0.0164). Planted fault: the
// normal quantile, 1.645 in place of Student's 2.015, covers 0.839.
TEST(RegressLine, ScatterCoversAsOftenAsItSays)
{
    std::uint64_t state = 1;
    auto const uniform = [&state] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (static_cast<double>(state >> 11) + 0.5) * 0x1p-53;
    };
    auto const normal = [&] {
        return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * M_PI * uniform());
    };
    constexpr int trials = 40000;
    int held = 0, held_by_normal = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<FitPoint> points;
        for (int i = 0; i < 7; ++i) points.push_back({double(i), 2 + 3.0 * i + normal(), {}});
        auto const fit = regress_line(points, 0.9);
        held += std::abs(fit->slope - 3) <= *fit->scatter ? 1 : 0;
        held_by_normal += std::abs(fit->slope - 3) <= *fit->scatter * 1.645 / 2.015 ? 1 : 0;
    }
    EXPECT_GT(std::abs(static_cast<double>(held_by_normal) / trials - 0.9), 0.0164);
    EXPECT_NEAR(static_cast<double>(held) / trials, 0.9, 0.0164);
}

} // namespace

} // namespace crx
