#include "analysis/bounds/geometric.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace crx::bounds {
namespace {

TEST(Geometric, ClosedFormsAreLemma46Uncut)
{
    // Lemma 4.6 is summed to weights of 1e-40; both round to about 1e-14.
    constexpr std::int64_t uncut = 1'000'000;
    for (double const q : {0.0, 1e-6, 0.01, 0.3, 0.7, 0.97, 0.999}) {
        EXPECT_NEAR(geometric_ratio(q, uncut, 0), geometric_ratio_unbounded(q), 1e-13) << q;
        EXPECT_NEAR(linear_geometric_ratio(q, uncut, 0), linear_geometric_ratio_unbounded(q), 1e-12)
            << q;
    }
    // A planted fault: the denominator CHEN's proof prints, with k^3 q^(k-1) (2 k q^(k-1) + ..)
    // for k q^(k-1) + 2 .., gives another ratio (docs/errata.md#chen-theorem-53).
    double numerator = 0;
    double misprinted = 0;
    double const q = 0.5;
    for (int k = 1; k < 200; ++k) {
        double tail = 0;
        double work = 0;
        double share = 0;
        for (int i = k; i < 200; ++i) {
            double const power = std::pow(q, i - 1);
            work += i * i * power;
            share += power + 2 * (i - k) * power;
            tail += i > k ? i * power : 0;
        }
        numerator += work * share;
        misprinted += k * k * k * std::pow(q, k - 1) * (2 * k * std::pow(q, k - 1) + tail);
    }
    EXPECT_GT(std::abs(numerator / misprinted - linear_geometric_ratio_unbounded(q)), 0.1);
}

TEST(Geometric, LimitsAndOneLength)
{
    EXPECT_NEAR(geometric_ratio_unbounded(1), geometric_ratio_limit(), 1e-14);
    EXPECT_NEAR(geometric_ratio_limit(), 1.682233833280657, 1e-14);
    EXPECT_DOUBLE_EQ(linear_geometric_ratio_unbounded(1), 14.0 / 9);
    EXPECT_DOUBLE_EQ(geometric_ratio(0.5, 1, 3), 1);
}

TEST(Geometric, SupremumAtNoPromptIsTheLimit)
{
    auto const geometric = law_supremum(Law::geometric, 0);
    EXPECT_TRUE(geometric.at_limit);
    EXPECT_DOUBLE_EQ(geometric.value, geometric_ratio_limit());
    auto const linear = law_supremum(Law::linear_geometric, 0);
    EXPECT_TRUE(linear.at_limit);
    EXPECT_DOUBLE_EQ(linear.value, 14.0 / 9);
}

TEST(Geometric, PublishedBoundsFailWithAPromptOfOneToken)
{
    // CHEN 5.2 reads 1.7 off Figure 3 and Theorem 5.3 has 14/9, both at s = 0.
    EXPECT_GT(geometric_ratio(0.9, 100'000, 1), 1.71);
    EXPECT_GT(linear_geometric_ratio(0.7, 100'000, 1), 1.57);
    EXPECT_FALSE(law_supremum(Law::geometric, 1).at_limit);
}

// Near its place no ratio is larger, and those an eighth of 1 - q away are smaller.
TEST(Geometric, SupremumWithAPromptIsAMaximum)
{
    auto const found = law_supremum(Law::geometric, 1);
    auto const at = [](double left) { return geometric_ratio(1 - left, std::int64_t{1} << 40, 1); };
    auto const left = 1 - found.q;
    EXPECT_DOUBLE_EQ(found.value, at(left));
    for (double const factor : {0.99, 0.999, 1.001, 1.01})
        EXPECT_LE(at(factor * left), found.value) << factor;
    for (double const factor : {7. / 8, 9. / 8})
        EXPECT_LT(at(factor * left), found.value - 1e-5) << factor;
}

TEST(Geometric, LinearSupremumIsProven)
{
    // 14 D - 9 N = (1-q)^2 (5 - 7q + 18q^2 - 7q^3 + 5q^4), term by term in exact integers.
    int const n[] = {1, 5, 13, 18, 13, 5, 1}; // (1+q)^2 (1+3q+6q^2+3q^3+q^4)
    int const d[] = {1, 2, 11, 8, 11, 2, 1};
    int const factor[] = {5, -7, 18, -7, 5};
    int const square[] = {1, -2, 1};
    int product[7] = {};
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 3; ++j) product[i + j] += factor[i] * square[j];
    for (int i = 0; i < 7; ++i) EXPECT_EQ(14 * d[i] - 9 * n[i], product[i]);
    // 5-7q+9q^2 and 9-7q+5q^2 have negative discriminants, so the quartic is positive.
    EXPECT_LT(49 - 4 * 5 * 9, 0);
}

TEST(Geometric, RefusesWhatIsOutsideTheDomain)
{
    double const nan = std::numeric_limits<double>::quiet_NaN();
    for (double const q : {-0.1, 1.1, nan}) {
        EXPECT_THROW(geometric_ratio(q, 10, 0), std::domain_error);
        EXPECT_THROW(geometric_ratio_unbounded(q), std::domain_error);
        EXPECT_THROW(linear_geometric_ratio_unbounded(q), std::domain_error);
    }
    EXPECT_THROW(geometric_ratio(0.5, 0, 0), std::domain_error);
    EXPECT_THROW(geometric_ratio(0.5, 5, -1), std::domain_error);
    EXPECT_THROW(law_supremum(Law::geometric, nan), std::domain_error);
}

} // namespace
} // namespace crx::bounds
