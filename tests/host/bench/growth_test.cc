#include "host/bench/growth.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

TEST(Growth, EveryCurveNamesEverySizeOnceAndFitsWhatItMeasured)
{
    auto const growths = measure_growth(0.3);
    ASSERT_EQ(growths.size(), 4u * 4 * 2); // along n = M, n, M, u; four policies, two engines
    std::size_t measured = 0;
    for (auto const& growth : growths) {
        SCOPED_TRACE(growth.policy + " " + growth.engine + " " + growth.along);
        EXPECT_EQ(growth.size.size(), growth.seconds.size());
        EXPECT_EQ(growth.size.size() + growth.left_out.size(), growth.along == "u" ? 5u : 6u);
        EXPECT_EQ(growth.exponent.has_value(), growth.size.size() > 1);
        if (!growth.size.empty() && !growth.left_out.empty()) {
            EXPECT_LT(growth.size.back(), growth.left_out.front());
        }
        for (auto const seconds : growth.seconds) EXPECT_GT(seconds, 0);
        measured += growth.size.size();
    }
    EXPECT_GT(measured, 0u);
}

TEST(Growth, WithoutTimeNothingIsMeasured)
{
    for (auto const& growth : measure_growth(0)) {
        EXPECT_TRUE(growth.size.empty());
        EXPECT_FALSE(growth.exponent || growth.large_exponent);
    }
}

} // namespace
} // namespace crx
