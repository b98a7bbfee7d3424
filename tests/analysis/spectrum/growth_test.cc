#include "analysis/spectrum/figures.hh"
#include "analysis/spectrum/growth.hh"

#include "analysis/bounds/lemma_4_6.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx::spectrum {
namespace {

TEST(Growth, FitRecoversItsOwnCurve)
{
    std::vector<double> u;
    std::vector<double> rho;
    for (int k = 1; k <= 200; ++k) {
        u.push_back(k);
        rho.push_back(bounds::figure_1_fit(k));
    }
    auto const fit = fit_logarithm(u, rho);
    EXPECT_NEAR(fit.a, 0.2555, 1e-7);
    EXPECT_NEAR(fit.b, 0.2793, 1e-5);
    EXPECT_NEAR(fit.c, 1.1587, 1e-6);
    EXPECT_GT(fit.r_squared, 1 - 1e-12);
}

TEST(Growth, LocalSlopeFallsToAQuarter)
{
    std::vector<std::int64_t> const us = {10, 100, 1000, 10'000, 100'000};
    auto const points = growth(us, 1, 0);
    EXPECT_TRUE(std::isnan(points[0].slope));
    for (std::size_t i = 2; i < points.size(); ++i) {
        EXPECT_LT(points[i].slope, points[i - 1].slope);
        EXPECT_GT(points[i].slope, 0.25);
    }
    EXPECT_LT(points.back().slope, 0.2535);
    EXPECT_GT(points[2].slope, 0.2555); // the published slope is that of u of some hundreds
}

TEST(Growth, PointsCoverTheRange)
{
    EXPECT_EQ(growth_points(1, 30), (std::vector<std::int64_t>{1, 2, 5, 10, 20, 30}));
    EXPECT_EQ(growth_points(4, 10), (std::vector<std::int64_t>{5, 10}));
    EXPECT_EQ(growth_points(3, 4), (std::vector<std::int64_t>{4}));
}

// The curve of the limit of long prompts ends the picture where it is the lower: (1 + 10) / 2 with
// u/l up to 100, four times the largest ratio where that is less.
TEST(Growth, AlphaFigureShowsTheLimitAsFarAsItLeads)
{
    auto const high_of = [](double most, double largest) {
        std::vector<AlphaCurve> const curves{{1, 0, {1, most}, {1, largest}}};
        return alpha_figure(curves).at(0).y.high;
    };
    EXPECT_DOUBLE_EQ(high_of(100, 2), 1.15 * 5.5);
    EXPECT_DOUBLE_EQ(high_of(10'000, 2), 1.15 * 8);
}

TEST(Growth, FitRefusesTooFewPoints)
{
    std::vector<double> const three = {1, 2, 3};
    EXPECT_THROW(fit_logarithm(three, three), std::domain_error);
}

} // namespace
} // namespace crx::spectrum
