#include "analysis/spectrum/dominant.hh"

#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/bounds/two_point_bounds.hh"
#include "analysis/spectrum/growth.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

namespace crx::spectrum {
namespace {

// 12 digits: the dense solver rounds at u^2 2^-53 over weights of size u, the operators at
// 300 units of 2^-53.
constexpr double twelve_digits = 1e-12;

TEST(Dominant, AgreesWithTheDenseSolver)
{
    // The whole range 1..2000 is in bench/checks/spectrum_agreement.
    for (int const u : {1, 2, 3, 4, 5, 7, 10, 16, 33, 64, 100, 177, 256, 300, 500}) {
        auto const values = dense_eigenvalues({1, u, 0});
        double const dense = values[values.size() - 1];
        for (auto const method : {Method::krylov, Method::power}) {
            Options options;
            options.method = method;
            auto const ours = solve_dominant({1, u, 0}, options);
            EXPECT_TRUE(ours.converged);
            EXPECT_NEAR(ours.rho / dense, 1, twelve_digits) << u;
            EXPECT_LE(ours.lower, dense * (1 + 1e-13));
            EXPECT_GE(ours.upper, dense * (1 - 1e-13));
            EXPECT_EQ(ours.negative_entries, 0);
        }
    }
    // A planted fault: one part in 10^9 of a token of prompt moves rho by more than the tolerance.
    EXPECT_GT(std::abs(solve_dominant({1, 300, 1e-9}).rho / solve_dominant({1, 300, 0}).rho - 1),
              10 * twelve_digits);
}

TEST(Dominant, AgreesWithTheDenseSolverForGeneralLengthsAndPrompts)
{
    for (Problem const problem : {Problem{1, 100, 1}, Problem{10, 100, 10}, Problem{7, 200, 0},
                                  Problem{3, 90, 0.5}, Problem{1, 150, 1000}, Problem{5, 5, 2}}) {
        auto const dense = dense_dominant(problem);
        for (auto const method : {Method::krylov, Method::power}) {
            Options options;
            options.method = method;
            auto const ours = solve_dominant(problem, options);
            EXPECT_TRUE(ours.converged);
            EXPECT_NEAR(ours.rho / dense.value, 1, 2 * twelve_digits) << problem.u;
            EXPECT_EQ(ours.negative_entries, 0);
        }
        EXPECT_GE(dense.composition.minCoeff(), -1e-9 * dense.composition.maxCoeff());
    }
}

TEST(Dominant, ItsVectorIsACompositionThatReachesTheRatio)
{
    Options options;
    options.keep_vector = true;
    for (Problem const problem : {Problem{1, 1000, 0}, Problem{4, 700, 30}}) {
        auto const found = solve_dominant(problem, options);
        std::vector<double> x(found.tail);
        for (std::size_t i = 0; i + 1 < x.size(); ++i) x[i] -= x[i + 1];
        auto const ratio = bounds::lemma_4_6(x, static_cast<double>(problem.l), problem.s).ratio();
        EXPECT_NEAR(ratio / found.rho, 1, 1e-11);
    }
}

TEST(Dominant, BracketIsHonestWhenStoppedEarly)
{
    auto const exact = solve_dominant({1, 5000, 0});
    Options options;
    options.method = Method::power;
    options.tolerance = 0;
    double last = std::numeric_limits<double>::infinity();
    for (int const steps : {1, 2, 4, 6}) {
        options.most_steps = steps;
        auto const early = solve_dominant({1, 5000, 0}, options);
        EXPECT_FALSE(early.converged);
        EXPECT_EQ(early.iterations, steps);
        EXPECT_LE(early.lower, exact.upper);
        EXPECT_GE(early.upper, exact.lower);
        EXPECT_LE(early.error(), last);
        EXPECT_GE(early.error(), std::abs(early.rho - exact.rho) - exact.error());
        last = early.error();
    }
}

TEST(Dominant, IsAboveTheTwoPointSupremum)
{
    // Theorem 5.1 is a special case of the supremum over all compositions. Real odds reach it, so
    // it cannot exceed rho; on two neighbouring lengths both are the same.
    for (Problem const problem : {Problem{1, 50, 0}, Problem{3, 60, 20}, Problem{9, 10, 4}}) {
        auto const shape = bounds::shape_of_lengths(static_cast<double>(problem.l),
                                                    static_cast<double>(problem.u), problem.s);
        double const two_point = bounds::a_min_two_point_supremum(shape);
        auto const found = solve_dominant(problem);
        EXPECT_GE(found.rho, two_point * (1 - 1e-13));
        if (problem.size() == 2) {
            EXPECT_NEAR(found.rho, two_point, 1e-13);
        }
    }
}

TEST(Dominant, TwoPointsAreTheWorstAsThePromptGrows)
{
    // Theorem 5: the limit s -> infinity is (1 + alpha^-1/2)/2; its distance falls like 1/s.
    double const limit = (1 + std::sqrt(100.0)) / 2;
    double const far = limit - solve_dominant({1, 100, 1e6}).rho;
    double const further = limit - solve_dominant({1, 100, 1e7}).rho;
    EXPECT_GT(far, 0);
    EXPECT_NEAR(far / further, 10, 0.01);
    // A planted claim: CHEN's logarithm, 5/4 + ln(100)/4 = 2.40, does not hold here.
    EXPECT_GT(limit - far, 2 * bounds::logarithmic_bound(0.01));
}

TEST(ProvenBounds, HoldForEveryUTried)
{
    for (std::int64_t u = 1; u <= 3000; u += 1 + u / 20) {
        auto const found = solve_dominant({1, u, 0});
        auto const bounds = proven_bounds({1, u, 0});
        EXPECT_LE(bounds.lower, found.upper) << u;
        EXPECT_GE(bounds.upper, found.lower) << u;
        EXPECT_NEAR(bounds.upper - bounds.lower, 1 / (4 * odd_harmonic({1, u, 0})), 1e-12) << u;
        if (u > 1) {
            EXPECT_LT(bounds.upper, bounds::harmonic_number(u)) << u;
        }
        for (std::int64_t const l : {2, 10, 400})
            if (l <= u) {
                auto const other = solve_dominant({l, u, 0});
                double const alpha = static_cast<double>(l) / static_cast<double>(u);
                EXPECT_GE(proven_bounds({l, u, 0}).upper, other.lower);
                EXPECT_LE(proven_bounds({l, u, 0}).lower, other.upper);
                EXPECT_EQ(proven_bounds({l, u, 0}).lower, 1); // nothing better is proven
                EXPECT_GE(bounds::logarithmic_bound(alpha), proven_bounds({l, u, 0}).upper);
            }
    }
    EXPECT_DOUBLE_EQ(proven_bounds({1, 1, 0}).lower, 1); // tight at u = 1
}

// Twice u has no place in 64 bits; the sum is (ln u + gamma + ln 4)/2 up to 1/(48 u^2).
TEST(ProvenBounds, OddSumsOfTheLargestU)
{
    for (int bits = 40; bits <= 62; ++bits)
        for (std::int64_t const u : {(std::int64_t{1} << bits) - 1, std::int64_t{1} << bits,
                                     (std::int64_t{1} << bits) + 1, INT64_MAX}) {
            auto const law =
                (std::log(static_cast<double>(u)) + std::numbers::egamma + std::log(4.0)) / 2;
            EXPECT_NEAR(odd_harmonic({1, u, 0}), law, 1e-14 * law) << u;
        }
}

TEST(ProvenBounds, AsymptoticLawIsApproached)
{
    // The remainder is O(1/ln^2 u): (rho - law)(ln u + gamma + ln 4)^2 stays below 1/3.
    double last = 0;
    for (std::int64_t const u : {100, 10'000, 1'000'000}) {
        double const x = static_cast<double>(u);
        double const gap = solve_dominant({1, u, 0}).rho - asymptotic_rho(x);
        double const scaled = gap * std::pow(std::log(x) + 1.963510026, 2);
        EXPECT_GT(scaled, last);
        EXPECT_LT(scaled, 1.0 / 3);
        last = scaled;
    }
}

TEST(Dominant, RefusesWhatIsNoProblemAndSaysWhatIsAccepted)
{
    double const nan = std::numeric_limits<double>::quiet_NaN();
    for (Problem const problem : {Problem{1, 0, 0}, Problem{0, 5, 0}, Problem{6, 5, 0},
                                  Problem{1, 5, -1}, Problem{1, 5, nan}})
        EXPECT_THROW(solve_dominant(problem), std::domain_error);
    try {
        solve_dominant({1, std::int64_t{1} << 50, 0});
        FAIL();
    } catch (std::domain_error const& error) {
        EXPECT_NE(std::string(error.what()).find("at most"), std::string::npos) << error.what();
    }
    try {
        solve_dominant({6, 5, 0});
        FAIL();
    } catch (std::domain_error const& error) {
        EXPECT_STREQ(error.what(), "u = 5 is not accepted: must be an integer, at least l = 6");
    }
    // Few lengths, but none that a double can count.
    constexpr auto wide = std::int64_t{1} << 53;
    try {
        require_problem({wide - 4, wide, 0}, 1e9);
        FAIL();
    } catch (std::domain_error const& error) {
        EXPECT_NE(std::string(error.what()).find("must be below 2^53 = 9007199254740992"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_NO_THROW(require_problem({wide - 4, wide - 1, 0}, 1e9));
}

} // namespace
} // namespace crx::spectrum
