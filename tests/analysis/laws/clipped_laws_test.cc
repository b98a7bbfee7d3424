#include "analysis/laws/clipped_laws.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace crx {

namespace {

double below(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

/// P(X <= v), 0 below the least value.
double cumulative(TabulatedLaw const& law, std::int32_t v)
{
    double last = 0;
    for (std::size_t k = 0; k < law.value.size() && law.value[k] <= v; ++k)
        last = std::ldexp(static_cast<double>(law.threshold[k]), -64);
    return last;
}

TEST(NormalLaw, TruncatesThenClips)
{
    auto const law = normal_law(25, 8.33, 1, 50);
    EXPECT_EQ(law.value.front(), 1);
    EXPECT_EQ(law.value.back(), 50);
    for (int k = 1; k < 50; ++k)
        EXPECT_NEAR(cumulative(law, k), below((k + 1 - 25) / 8.33), 1e-15) << k;
}

TEST(NormalLaw, IsExactAtItsMean)
{
    // Half of all words lie below the mean.
    auto const law = normal_law(10, 3, 1, 19);
    EXPECT_EQ(law.threshold[8], std::uint64_t{1} << 63);
}

TEST(ExponentialLaw, TruncatesThenClips)
{
    auto const law = exponential_law(5, 1, 50);
    EXPECT_EQ(law.value.size(), 50u);
    for (int k = 1; k < 50; ++k)
        EXPECT_NEAR(cumulative(law, k), -std::expm1(-(k + 1) / 5.0), 1e-15) << k;
    // 2^64 (1 - e^(-2/5)) to the unit, from e^(-0.4) = 0.670320046035639300744432925147826...
    EXPECT_EQ(law.threshold[0], 6081521737012908526u);
}

TEST(ExponentialLaw, IsGeometricWhereNothingIsClipped)
{
    // Truncated from 0 the masses are (1 - r) r^k, r = e^(-1/scale), and the mean r / (1 - r).
    auto const law = exponential_law(3, 0, 1000);
    double mean = 0;
    for (int k = 0; k < 200; ++k) mean += 1 - cumulative(law, k);
    auto const r = std::exp(-1.0 / 3);
    EXPECT_NEAR(mean, r / (1 - r), 1e-12);
}

TEST(MixedPromptLaw, FollowsItsDefinition)
{
    auto const law = mixed_prompt_law();
    EXPECT_EQ(law.value.front(), 1);
    EXPECT_EQ(law.value.back(), 49);
    auto const plain = [](double x) {
        return 0.8 * -std::expm1(-x / 10) + 0.2 * below(std::log(x / 40) / 0.25);
    };
    EXPECT_NEAR(cumulative(law, 1), plain(2), 1e-15);
    EXPECT_NEAR(cumulative(law, 39), plain(40), 1e-15);
    auto const above = 1 - plain(50);
    EXPECT_NEAR(cumulative(law, 44), plain(45) + above / 2, 1e-15);
    EXPECT_NEAR(cumulative(law, 49), 1, 1e-15);
}

} // namespace

} // namespace crx
