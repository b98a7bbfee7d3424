#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/bounds/two_point_bounds.hh"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace crx::bounds {
namespace {

// Rounding of a few dozen operations on numbers below 1e6 relative to the result.
constexpr double two_point_tolerance = 1e-13;

struct Lengths
{
    int l;
    int u;
    double s;
};

std::vector<Lengths> const cases = {{1, 2, 0}, {1, 10, 0},    {3, 7, 0},     {5, 5, 2},
                                    {1, 9, 1}, {2, 50, 10.5}, {40, 100, 300}};

std::vector<double> two_points(Lengths const& lengths, double t)
{
    std::vector<double> x(lengths.u - lengths.l + 1, 0.0);
    x.front() += t;
    x.back() += 1;
    return x;
}

TEST(TwoPoint, AMinIsLemma46OnTwoLengths)
{
    for (auto const& c : cases)
        for (double const t : {0.0, 0.1, 1.0, 7.0, 1000.0}) {
            auto const x = two_points(c, t);
            double const lemma = lemma_4_6(x, c.l, c.s).ratio();
            auto const shape = shape_of_lengths(c.l, c.u, c.s);
            EXPECT_NEAR(a_min_two_point(shape, t) / lemma, 1, two_point_tolerance)
                << c.l << " " << c.u;
            // A planted fault: the printed formula has s = 0 throughout, and is noticed.
            if (c.s > 0 && c.l < c.u && t == 1) {
                auto const printed = shape_of_lengths(c.l, c.u, 0);
                EXPECT_GT(std::abs(a_min_two_point(printed, t) / lemma - 1), 1e-3);
            }
        }
}

TEST(TwoPoint, ARandomIsTheVolumeArgumentOnTwoLengths)
{
    for (auto const& c : cases)
        for (double const t : {0.0, 0.5, 3.0}) {
            auto const x = two_points(c, t);
            auto const shape = shape_of_lengths(c.l, c.u, c.s);
            EXPECT_NEAR(a_random_two_point(shape, t) / a_random_composition(x, c.l, c.s), 1,
                        two_point_tolerance);
        }
}

// A supremum is reached at the stated odds and exceeded nowhere on a fine grid.
void expect_supremum(std::function<double(double)> const& ratio, double supremum, double argmax)
{
    EXPECT_NEAR(ratio(argmax) / supremum, 1, two_point_tolerance);
    for (double t = 1e-6; t < 1e9; t *= 1.01)
        ASSERT_LE(ratio(t), supremum * (1 + two_point_tolerance)) << t;
}

TEST(TwoPoint, SupremaAreReachedAndNotExceeded)
{
    for (auto const& c : cases) {
        auto const shape = shape_of_lengths(c.l, c.u, c.s);
        expect_supremum([&](double t) { return a_min_two_point(shape, t); },
                        a_min_two_point_supremum(shape), a_min_two_point_argmax(shape));
        expect_supremum([&](double t) { return a_random_two_point(shape, t); },
                        a_random_two_point_supremum(shape), 1 / shape.g());
        expect_supremum([&](double t) { return a_ell_two_point(shape, t); },
                        a_ell_two_point_supremum(shape), a_ell_two_point_argmax(shape));
        if (c.l < c.u)
            expect_supremum([&](double t) { return a_max_two_point(shape, t); },
                            a_max_two_point_supremum(shape), a_max_two_point_argmax(shape));
        expect_supremum([&](double r) { return a_max_construction(shape.a, r); },
                        a_max_construction_supremum(shape.a), a_max_construction_argmax(shape.a));
    }
}

TEST(TwoPoint, AtNoPromptTheyAreThePrintedTheorems)
{
    for (double const alpha : {0.01, 0.2, 0.381966, 0.5, 0.77, 1.0}) {
        auto const shape = shape_of_alpha(alpha);
        EXPECT_NEAR(a_min_two_point_supremum(shape), a_min_two_point_as_printed(alpha),
                    two_point_tolerance);
        EXPECT_NEAR(a_random_two_point_supremum(shape) / a_random_as_printed(alpha), 1,
                    two_point_tolerance);
        EXPECT_NEAR(a_ell_two_point_supremum(shape),
                    alpha <= 0.5 ? 1 + alpha / (2 * (1 - alpha)) : 1 + 2 * alpha * alpha,
                    two_point_tolerance);
        EXPECT_NEAR(a_max_two_point_supremum(shape) / a_max_construction_supremum(alpha), 1,
                    two_point_tolerance);
    }
}

TEST(TwoPoint, ConstructionOfTheorem34FallsShortOfItsPrintedValue)
{
    for (double const alpha : {0.001, 0.1, 0.5, 0.9}) {
        EXPECT_LT(a_max_construction_supremum(alpha), a_max_lower_as_printed(alpha));
        EXPECT_LT(a_max_lower_as_printed(alpha), a_max_upper(alpha));
    }
    EXPECT_DOUBLE_EQ(a_max_upper(1), 1);
    EXPECT_DOUBLE_EQ(a_max_construction_supremum(1), 1);
    EXPECT_NEAR(1e-6 * a_max_construction_supremum(1e-6), (1 + std::sqrt(2.0)) / 2, 1e-5);
}

TEST(TwoPoint, CrossingIsTheGoldenSection)
{
    EXPECT_NEAR(a_ell_a_min_crossing(0), (3 - std::sqrt(5.0)) / 2, 1e-14);
    for (double const prompt : {0.1, 1.0, 10.0}) {
        double const alpha = a_ell_a_min_crossing(prompt);
        auto const shape = shape_of_alpha(alpha, prompt);
        EXPECT_NEAR(a_ell_two_point_supremum(shape), a_min_two_point_supremum(shape), 1e-12);
    }
}

TEST(TwoPoint, RefusesWhatIsOutsideTheDomainAndSaysWhatIsAccepted)
{
    double const nan = std::numeric_limits<double>::quiet_NaN();
    for (double const alpha : {0.0, -1.0, 1.5, nan}) {
        EXPECT_THROW(a_max_upper(alpha), std::domain_error);
        EXPECT_THROW(shape_of_alpha(alpha), std::domain_error);
    }
    EXPECT_THROW(shape_of_lengths(0, 3, 0), std::domain_error);
    EXPECT_THROW(shape_of_lengths(4, 3, 0), std::domain_error);
    EXPECT_THROW(shape_of_lengths(1, 3, nan), std::domain_error);
    EXPECT_THROW(a_min_two_point({0.5, 0.4}, 1), std::domain_error);
    EXPECT_THROW(odds_of_fraction(1), std::domain_error);
    EXPECT_THROW(lemma_4_6(std::vector<double>{0, 0}, 1, 0), std::domain_error);
    EXPECT_THROW(lemma_4_6(std::vector<double>{1, -1}, 1, 0), std::domain_error);
    try {
        a_max_upper(1.5);
        FAIL();
    } catch (std::domain_error const& error) {
        EXPECT_STREQ(error.what(), "alpha = 1.5 is not accepted: must be in (0, 1]");
    }
}

} // namespace
} // namespace crx::bounds
