// JAILLET Lemmas B.1, B.2 and what they make of Theorem 4.3: the dual variables (25)-(27) of n
// identical requests (s, o), in exact fractions from the formulas as printed.
#include "analysis/baseline/identical_dual.hh"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>

namespace crx::baseline {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

Fraction positive(Fraction const& value) { return value > 0 ? value : Fraction(0); }

struct Case
{
    std::int64_t s, o, n, M;
    std::int64_t beta() const { return 2 * s + o + 1; }
    /// (o-1)(3s+2o+2) / (3 (2s+o+1)), half of Lemma B.2's alpha
    Fraction half_alpha() const { return Fraction((o - 1) * (3 * s + 2 * o + 2), 3 * beta()); }
    Fraction y() const { return positive(Fraction(beta() * o * n, 2 * M) - half_alpha()); } // (25)
    /// The bound on TEL(MC-SF) of (16).
    Fraction bound_16() const { return Fraction(5 * o * n, 8) + Fraction(o * (s + o) * n * n, M); }
    /// (26) and (27); prices[t - 1] is lambda_t, up to the last positive one.
    std::vector<Fraction> prices() const
    {
        Fraction const first = (2 * y() + 2 * half_alpha()) / (beta() * o);
        std::vector<Fraction> made;
        for (std::int64_t t = 1;; ++t) {
            auto const price = positive(first - Fraction(2 * (t - 1), beta() * o));
            if (price == 0) return made;
            made.push_back(price);
        }
    }
};

OwnedInstance instance_of(Case const& c)
{
    OwnedInstance instance;
    instance.memory = c.M;
    auto const n = static_cast<std::size_t>(c.n);
    instance.prompt.assign(n, static_cast<std::int32_t>(c.s));
    instance.output.assign(n, static_cast<std::int32_t>(c.o));
    instance.arrival.assign(n, 0);
    instance.lower = instance.upper = instance.output;
    return instance;
}

template <class Visit>
void visit_grid(Visit visit)
{
    for (std::int64_t s : {0, 1, 2, 3, 7, 20})
        for (std::int64_t o : {1, 2, 3, 4, 5, 9, 16})
            for (std::int64_t const M : {s + o, 2 * (s + o), 3 * (s + o) + 1, 10 * (s + o)})
                for (std::int64_t const n : {1, 2, 3, 5, 8, 21, 60}) visit(Case{s, o, n, M});
}

/// The least t - (left side of (23)) over all t; from the last price on that is t - y.
Fraction least_slack(Case const& c, Fraction const& y, std::vector<Fraction> const& prices)
{
    Fraction least = 0;
    for (std::int64_t t = 0; t <= std::ssize(prices); ++t) {
        Fraction slack = t - y;
        for (auto tau = t + 1; tau <= std::min(t + c.o, std::ssize(prices)); ++tau)
            slack += (c.s + tau - t) * prices[static_cast<std::size_t>(tau - 1)];
        least = t == 0 ? slack : std::min(least, slack);
    }
    return least;
}

// The lemma asks for nothing of M, and nothing is asked here. Slack 0: no price can be lowered.
TEST(JailletLemmaB1, DualVariablesAreFeasible)
{
    int cases = 0, tight = 0, dearer_breaks = 0;
    visit_grid([&](Case const& c) {
        auto const y = c.y();
        auto const prices = c.prices();
        auto const slack = least_slack(c, y, prices);
        ASSERT_GE(slack, 0) << c.s << ' ' << c.o << ' ' << c.n << ' ' << c.M;
        ++cases;
        tight += slack == 0;
        dearer_breaks += least_slack(c, y + Fraction(1, 1000), prices) < 0;
    });
    EXPECT_EQ(cases, 6 * 7 * 4 * 7);
    EXPECT_GT(tight, 600);
    EXPECT_GE(dearer_breaks, tight);
    RecordProperty("tight", tight);
}

// What the program calls `dual` is the objective (22) of these variables, or n o if y = 0.
TEST(JailletLemmaB1, ObjectiveIsTheProgramsBound)
{
    visit_grid([&](Case const& c) {
        Fraction objective = Fraction(c.n * c.o) + c.n * c.y();
        for (auto const& price : c.prices()) objective -= c.M * price;
        auto const bound = identical_dual_bound(instance_of(c));
        ASSERT_TRUE(bound);
        if (c.y() == 0)
            ASSERT_EQ(*bound, c.n * c.o);
        else {
            ASSERT_GE(Fraction(*bound), objective);
            ASSERT_LT(Fraction(*bound - 1), objective);
        }
    });
}

/// Lemma B.2's ratio: (16) over the objective with the area of the prices' triangle for their sum.
/// Nothing where the latter is not positive.
std::optional<Fraction> printed_ratio(Case const& c)
{
    Fraction const first = (2 * c.y() + 2 * c.half_alpha()) / (c.beta() * c.o);
    Fraction const below = c.n * (c.o + c.y()) - c.M * first * first * c.beta() * c.o / 4;
    if (below <= 0) return std::nullopt;
    return Fraction(c.bound_16() / below);
}

// "For any s, o, n, M" it is not: the proof takes n / M >= 1 / (s+o), without which all run at once
// and the theorem is trivial.
TEST(JailletLemmaB2, NeedsThatNotAllFit)
{
    EXPECT_EQ(printed_ratio({0, 2, 1, 24}), Fraction(51, 8));
    EXPECT_FALSE(printed_ratio({0, 2, 1, 27})); // the denominator is 0
}

// The area is less than the sum, so the printed ratio, at most 4, is not yet a bound on MC-SF over
// OPT; with the sum in its place, and n o where that is more, it is at most 4 as well.
TEST(JailletLemmaB2, FourHoldsWithTheSumInPlaceOfTheArea)
{
    Fraction area_worst = 0, sum_worst = 0;
    auto const visit = [&](Case const& c) {
        if (c.M < 2 * (c.s + c.o) || c.n * (c.s + c.o) < c.M) return; // contract of (16); above
        area_worst = std::max(area_worst, printed_ratio(c).value());
        Fraction sum = c.n * (c.o + c.y());
        for (auto const& price : c.prices()) sum -= c.M * price;
        sum_worst =
            std::max(sum_worst, Fraction(c.bound_16() / std::max(sum, Fraction(c.n * c.o))));
    };
    visit_grid(visit);
    for (std::int64_t const n : {500, 2000}) visit({0, 60, n, 120}); // towards the supremum
    EXPECT_LE(area_worst, 4);
    EXPECT_LE(sum_worst, 4);
    EXPECT_GT(sum_worst, Fraction(38, 10));
    RecordProperty("area", std::to_string(area_worst.convert_to<double>()));
    RecordProperty("sum", std::to_string(sum_worst.convert_to<double>()));
}

// Theorem 4.3 with a smaller constant: with m = floor(M / (s+o)) < n, TEL(MC-SF) <= 2 M / ((s+o) m)
// OPT (proof: docs/proofs/identical_requests.md). Its two halves, exact: (15) against the dual, and
// nobody starts later than in batches of m.
TEST(JailletTheorem43, TwoTimesTheRoundingOfMemory)
{
    Fraction nearest = 0;
    visit_grid([&](Case const& c) {
        auto const m = c.M / (c.s + c.o);
        if (c.n <= m) return;
        Fraction sum = c.n * (c.o + c.y());
        for (auto const& price : c.prices()) sum -= c.M * price;
        Fraction const opt_lower_bound = std::max(sum, Fraction(c.n * c.o));
        Fraction const above =
            Fraction(c.o * c.n * c.n, 2 * m) + Fraction(5 * c.o * c.n, 8); // (15)
        Fraction const claimed = Fraction(2 * c.M, (c.s + c.o) * m) * opt_lower_bound;
        ASSERT_LT(above, claimed);
        nearest = std::max(nearest, Fraction(above / claimed));

        std::vector<std::size_t> order(static_cast<std::size_t>(c.n));
        std::iota(order.begin(), order.end(), std::size_t{0});
        auto const starts = execute_in_order(instance_of(c), order).start;
        for (std::int64_t j = 0; j < c.n; ++j)
            ASSERT_LE(starts[static_cast<std::size_t>(j)], j / m * c.o);
    });
    EXPECT_GT(nearest, Fraction(9, 10));
    RecordProperty("nearest", std::to_string(nearest.convert_to<double>()));
}

} // namespace
} // namespace crx::baseline
