#include "analysis/laws/discrete_laws.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx {

namespace {

constexpr std::uint64_t all = ~std::uint64_t{0};

using Values = std::vector<std::int32_t>;
using Thresholds = std::vector<std::uint64_t>;

/// P(value[k]) as a double.
std::vector<double> masses(TabulatedLaw const& law)
{
    std::vector<double> out;
    for (std::size_t k = 0; k < law.value.size(); ++k) {
        auto const below = k == 0 ? 0 : law.threshold[k - 1];
        auto const last = k + 1 == law.value.size();
        out.push_back(
            std::ldexp(static_cast<double>(law.threshold[k] - below + (last ? 1 : 0)), -64));
    }
    return out;
}

double mean(TabulatedLaw const& law)
{
    double sum = 0;
    auto const mass = masses(law);
    for (std::size_t k = 0; k < mass.size(); ++k) sum += mass[k] * law.value[k];
    return sum;
}

double variance(TabulatedLaw const& law)
{
    double sum = 0;
    auto const mass = masses(law);
    auto const centre = mean(law);
    for (std::size_t k = 0; k < mass.size(); ++k)
        sum += mass[k] * (law.value[k] - centre) * (law.value[k] - centre);
    return sum;
}

TEST(TwoPointLaw, IsExactByHand)
{
    auto const law = two_point_law(3, 7, 0.25);
    EXPECT_EQ(law.value, (Values{3, 7}));
    EXPECT_EQ(law.threshold, (Thresholds{std::uint64_t{1} << 62, all}));
}

TEST(TwoPointLaw, LeavesOutWhatNeverOccurs)
{
    EXPECT_EQ(two_point_law(3, 7, 0).value, Values{7});
    EXPECT_EQ(two_point_law(3, 7, 1).value, Values{3});
    EXPECT_EQ(two_point_law(3, 3, 0.5).value, Values{3});
    EXPECT_EQ(two_point_law(3, 7, 1).threshold, Thresholds{all});
    // 2^-65 rounds up to one word, a little less to none.
    EXPECT_EQ(two_point_law(3, 7, 0x1p-65).threshold, (Thresholds{1, all}));
    EXPECT_EQ(two_point_law(3, 7, 0x1.fp-66).value, Values{7});
}

TEST(UniformLaw, ThresholdsAreRoundedThirds)
{
    auto const law = uniform_law(4, 6);
    EXPECT_EQ(law.value, (Values{4, 5, 6}));
    // 2^64 / 3 = 6148914691236517205.33, twice that is 12297829382473034410.67
    EXPECT_EQ(law.threshold, (Thresholds{6148914691236517205u, 12297829382473034411u, all}));
}

TEST(GeometricLaw, IsExactByHand)
{
    // q = 1/2 on 1..3: 4/7, 2/7, 1/7.
    auto const law = geometric_law(0.5, 3);
    EXPECT_EQ(law.value, (Values{1, 2, 3}));
    // 2^64 * 4/7 = 10540996613548315209.14, 2^64 * 6/7 = 15811494920322472813.71
    EXPECT_EQ(law.threshold, (Thresholds{10540996613548315209u, 15811494920322472814u, all}));
}

TEST(GeometricLaw, HasItsEnds)
{
    EXPECT_EQ(geometric_law(1, 3), uniform_law(1, 3));
    EXPECT_EQ(geometric_law(0, 3).value, Values{1});
    // P(X <= 65) = 1 - 2^-65 rounds up to 1: no word is left for longer ones.
    EXPECT_EQ(geometric_law(0.5, 1000).value.size(), 65u);
}

TEST(GeometricLaw, HasTheMeanOfTheClosedForm)
{
    double const q = 0.9;
    int const u = 50;
    auto const law = geometric_law(q, u);
    // sum k q^(k-1) / sum q^(k-1) = 1/(1-q) - u q^u / (1 - q^u)
    EXPECT_NEAR(mean(law), 1 / (1 - q) - u * std::pow(q, u) / (1 - std::pow(q, u)), 1e-12);
}

TEST(LinearGeometricLaw, IsExactByHand)
{
    // q = 1/2 on 1..3: 1, 2/2, 3/4 over 11/4.
    auto const mass = masses(linear_geometric_law(0.5, 3));
    ASSERT_EQ(mass.size(), 3u);
    EXPECT_DOUBLE_EQ(mass[0], 4.0 / 11);
    EXPECT_DOUBLE_EQ(mass[1], 4.0 / 11);
    EXPECT_DOUBLE_EQ(mass[2], 3.0 / 11);
    EXPECT_DOUBLE_EQ(masses(linear_geometric_law(1, 2))[0], 1.0 / 3);
}

TEST(LinearGeometricLaw, HasTheMeanOfTheClosedForm)
{
    // On all positive integers the mean is (1+q)/(1-q); past 1000 there is less than 1e-40 of it.
    EXPECT_NEAR(mean(linear_geometric_law(0.9, 1000)), 19, 1e-10);
}

TEST(BinomialLaw, IsExactByHand)
{
    auto const law = binomial_law(2, 0.5, 1);
    EXPECT_EQ(law.value, (Values{1, 2, 3}));
    EXPECT_EQ(law.threshold, (Thresholds{std::uint64_t{1} << 62, std::uint64_t{3} << 62, all}));
}

TEST(BinomialLaw, HasMeanAndVariance)
{
    auto const law = binomial_law(49, 0.3, 1);
    EXPECT_NEAR(mean(law), 1 + 49 * 0.3, 1e-12);
    EXPECT_NEAR(variance(law), 49 * 0.3 * 0.7, 1e-11);
    // (1 - p)^n alone is 2^-20000 here.
    EXPECT_NEAR(mean(binomial_law(20000, 0.5, 0)), 10000, 1e-8);
    EXPECT_EQ(binomial_law(5, 0, 2).value, Values{2});
    EXPECT_EQ(binomial_law(5, 1, 2).value, Values{7});
    EXPECT_EQ(binomial_law(0, 0.5, 2).value, Values{2});
}

TEST(EveryLaw, HasThresholdsThatRiseAndReachEveryWord)
{
    for (auto const& law : {uniform_law(0, 999), geometric_law(0.37, 200),
                            linear_geometric_law(0.99, 500), binomial_law(300, 0.01, 1)}) {
        ASSERT_EQ(law.value.size(), law.threshold.size());
        EXPECT_EQ(law.threshold.back(), all);
        for (std::size_t k = 1; k < law.value.size(); ++k) {
            EXPECT_LT(law.value[k - 1], law.value[k]);
            EXPECT_LE(law.threshold[k - 1], law.threshold[k]);
        }
    }
}

} // namespace

} // namespace crx
