#include "analysis/statistics/paired.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace crx {
namespace {

using Numbers = std::vector<std::int64_t>;

PairSums sums_of(Numbers const& cost, Numbers const& denominator)
{
    PairSums s;
    s.count = static_cast<std::int64_t>(cost.size());
    for (std::size_t i = 0; i < cost.size(); ++i) {
        s.numerator += cost[i];
        s.denominator += denominator[i];
        s.numerator_squares += BigInteger(cost[i]) * cost[i];
        s.denominator_squares += BigInteger(denominator[i]) * denominator[i];
        s.cross += BigInteger(cost[i]) * denominator[i];
    }
    return s;
}

/// The usual deviation of a paired difference of ratios of means, from the instances themselves.
double paired_deviation(Numbers const& one, Numbers const& other, Numbers const& denominator)
{
    double x = 0, y = 0, b = 0, squares = 0;
    auto const n = static_cast<double>(one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        x += static_cast<double>(one[i]);
        y += static_cast<double>(other[i]);
        b += static_cast<double>(denominator[i]);
    }
    for (std::size_t i = 0; i < one.size(); ++i) {
        double const d = static_cast<double>(one[i] - other[i]) -
                         (x - y) / b * static_cast<double>(denominator[i]);
        squares += d * d;
    }
    return std::sqrt(squares / (n - 1)) / (b / n);
}

Estimate difference_of(Numbers const& one, Numbers const& other, Numbers const& denominator)
{
    auto const found = paired_difference(paired_part(sums_of(one, denominator)),
                                         paired_part(sums_of(other, denominator)), 0.95);
    return found.value();
}

// The interval may be wider than that from the instances, never narrower.
TEST(PairedDifference, IsNeverNarrowerThanThatOfTheInstances)
{
    std::mt19937 random(5);
    auto const draw = [&](int most) { return static_cast<std::int64_t>(random() % most); };
    double closest = 1e9;
    for (int repeat = 0; repeat < 200; ++repeat) {
        Numbers b, x, y;
        for (int i = 0; i < 3 + repeat % 20; ++i) {
            b.push_back(100 + draw(1000));
            auto const shared = draw(1 + repeat);
            x.push_back(b.back() + shared + draw(50));
            y.push_back(2 * b.back() + shared + draw(200));
        }
        auto const found = difference_of(x, y, b);
        double const exact = paired_deviation(x, y, b);
        EXPECT_GE(*found.deviation, exact * (1 - 1e-9));
        closest = std::min(closest, *found.deviation / exact);
        EXPECT_NEAR(*found.half_width,
                    *found.deviation / std::sqrt(static_cast<double>(b.size())) *
                        two_sided_quantile(static_cast<std::int64_t>(b.size()), 0.95),
                    1e-12);
    }
    EXPECT_LT(closest, 1.2); // and it is not idle
}

// A cost that is a line in the denominator leaves nothing open; nor do opposite residuals.
TEST(PairedDifference, IsThatOfTheInstancesAtItsEnds)
{
    Numbers const b{10, 20, 30, 40}, x{15, 31, 44, 60}, line{25, 45, 65, 85};
    EXPECT_NEAR(*difference_of(x, line, b).deviation, paired_deviation(x, line, b), 1e-12);
    EXPECT_NEAR(*difference_of(x, b, b).deviation, paired_deviation(x, b, b), 1e-12);
    // 1, -1, -1, 1 is at right angles to b and to 1.
    Numbers const up{31, 59, 89, 121}, down{29, 61, 91, 119};
    EXPECT_NEAR(*difference_of(up, down, b).deviation, paired_deviation(up, down, b), 1e-12);
    EXPECT_EQ(difference_of(b, b, b).deviation, 0.0);
}

TEST(PairedDifference, NeedsTheSameInstances)
{
    auto const one = paired_part(sums_of({3, 4}, {2, 2}));
    EXPECT_FALSE(paired_difference(one, paired_part(sums_of({3, 4, 5}, {2, 2, 2})), 0.95));
    EXPECT_FALSE(paired_difference(one, paired_part(sums_of({3, 4}, {2, 3})), 0.95));
    auto const single =
        paired_difference(paired_part(sums_of({3}, {2})), paired_part(sums_of({4}, {2})), 0.95);
    ASSERT_TRUE(single);
    EXPECT_DOUBLE_EQ(single->mean, -0.5);
    EXPECT_FALSE(single->half_width);
    // Equal denominators: the difference of two means.
    Numbers const two{2, 2, 2}, x{4, 3, 5}, y{8, 8, 8};
    EXPECT_NEAR(*difference_of(x, y, two).deviation, 0.5, 1e-12);
}

} // namespace
} // namespace crx
