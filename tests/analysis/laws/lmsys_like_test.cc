#include "analysis/laws/lmsys_like.hh"

#include "analysis/laws/discrete_laws.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx {

namespace {

/// P(X <= v).
double below(TabulatedLaw const& law, std::int32_t v)
{
    double last = 0;
    for (std::size_t k = 0; k < law.value.size() && law.value[k] <= v; ++k)
        last = std::ldexp(static_cast<double>(law.threshold[k]), -64);
    return last;
}

TEST(LawMoments, AreThoseOfAUniformLaw)
{
    auto const law = uniform_law(4, 6);
    EXPECT_NEAR(moments_of(law).mean, 5, 1e-15);
    EXPECT_NEAR(moments_of(law).variance, 2.0 / 3, 1e-15);
    EXPECT_EQ(quantile_of(law, 0.3), 4);
    EXPECT_EQ(quantile_of(law, 0.5), 5);
    EXPECT_EQ(quantile_of(law, 1), 6);
    EXPECT_NEAR(moments_of(two_point_law(1, 3, 0.5)).variance, 1, 1e-15);
}

TEST(GeneralisedGamma, IsKnownLawsAtKnownParameters)
{
    // shape 1, power 1, scale 1/log 2: the geometric law of q = 1/2.
    GeneralisedGamma const halving{1, -log(log(Real(2))), 1};
    EXPECT_EQ(generalised_gamma_law(halving, 40), geometric_law(0.5, 40));
    // shape 2: proportional to k q^k.
    GeneralisedGamma const linear{2, -log(log(Real(2))), 1};
    EXPECT_EQ(generalised_gamma_law(linear, 40), linear_geometric_law(0.5, 40));
}

/// P(X < 60) + P(X = 60) / 2.
double split_at_sixty(TabulatedLaw const& law) { return (below(law, 59) + below(law, 60)) / 2; }

TEST(GeneralisedGamma, IsFoundFromItsOwnFigures)
{
    // The scale at which 60 splits the law evenly; then its own figures must lead back to it.
    double low = 100, high = 400;
    GeneralisedGamma truth{0.5, 0, 1.5};
    for (int step = 0; step < 60; ++step) {
        auto const middle = (low + high) / 2;
        truth.log_scale = log(Real(middle));
        (split_at_sixty(generalised_gamma_law(truth, 800)) > 0.5 ? low : high) = middle;
    }
    auto const moments = moments_of(generalised_gamma_law(truth, 800));
    auto const fit =
        fit_generalised_gamma({800, moments.mean, moments.variance, 60}, {0.45, low - 20, 1.3});
    ASSERT_TRUE(fit.has_value());
    EXPECT_NEAR(static_cast<double>(fit->shape), 0.5, 1e-9);
    EXPECT_NEAR(static_cast<double>(exp(fit->log_scale)), low, 1e-6);
    EXPECT_NEAR(static_cast<double>(fit->power), 1.5, 1e-9);
}

TEST(GeneralisedGamma, RefusesFiguresThatNoLawHas)
{
    // On 1 .. 10 with mean 5 the variance is at most (10 - 5)(5 - 1) = 20.
    EXPECT_FALSE(fit_generalised_gamma({10, 5, 25, 5}, {}).has_value());
}

TEST(LmsysLike, HasThePublishedMeanMedianAndVariance)
{
    for (auto const& entry : lmsys_catalogue) {
        if (entry.bin > 0) continue;
        SCOPED_TRACE(entry.id);
        auto const& law = tabulate_lmsys(entry.source, entry.part);
        auto const& published = entry.published;
        EXPECT_EQ(law.value.front(), 1);
        EXPECT_EQ(law.threshold.back(), ~std::uint64_t{0});
        EXPECT_NEAR(moments_of(law).mean, published.mean, 1e-12 * published.mean);
        EXPECT_NEAR(moments_of(law).variance, published.variance, 1e-12 * published.variance);
        EXPECT_EQ(quantile_of(law, 0.5), published.median);
        EXPECT_NEAR((below(law, published.median - 1) + below(law, published.median)) / 2, 0.5,
                    1e-15);
    }
}

TEST(LmsysLike, IsTheSameFromAnotherStart)
{
    for (auto const& entry : lmsys_catalogue) {
        if (entry.bin > 0) continue;
        SCOPED_TRACE(entry.id);
        auto start = entry.start;
        start.scale *= 1.2;
        start.shape *= 0.9;
        auto const fit = fit_generalised_gamma(entry.published, start);
        ASSERT_TRUE(fit.has_value());
        EXPECT_LT(abs(fit->shape - lmsys_fit(entry).shape), 1e-20);
        EXPECT_LT(abs(fit->power - lmsys_fit(entry).power), 1e-20);
    }
}

TEST(LmsysLike, HasThePublishedBins)
{
    auto const& law = tabulate_lmsys(LmsysSource::ao, LmsysPart::output);
    EXPECT_EQ(law.value.front(), 1);
    EXPECT_EQ(law.value.back(), 500);
    // 23 + 11 + 8 + 7 + 6 + 4 + 3 + 2 + 1 + 1 = 66.
    EXPECT_NEAR(below(law, 50), 23.0 / 66, 1e-15);
    EXPECT_NEAR(below(law, 100), 34.0 / 66, 1e-15);
    EXPECT_NEAR(below(law, 450), 65.0 / 66, 1e-15);
    EXPECT_NEAR(below(law, 25), 11.5 / 66, 1e-15);
    // Bins' middles 25.5, 75.5, .., 475.5.
    double mean = 0;
    int const weight[] = {23, 11, 8, 7, 6, 4, 3, 2, 1, 1};
    for (int i = 0; i < 10; ++i) mean += weight[i] * (25.5 + 50 * i) / 66;
    EXPECT_NEAR(moments_of(law).mean, mean, 1e-10);
}

} // namespace

} // namespace crx
