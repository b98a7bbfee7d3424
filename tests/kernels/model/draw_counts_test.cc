#include "analysis/laws/discrete_laws.hh"
#include "kernels/model/draw_counts.cuh"
#include "support/test_seed.hh"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

Workload table(TabulatedLaw const& law, std::int64_t n)
{
    Workload w;
    w.seed = crx_test::test_seed();
    w.requests = n;
    w.output_value = law.value;
    w.output_threshold = law.threshold;
    return w;
}

/// Probability of class k as the thresholds have it.
double mass(Workload const& w, std::size_t k)
{
    auto const top =
        k + 1 == w.output_value.size() ? 0x1p64 : static_cast<double>(w.output_threshold[k]);
    return (top - (k == 0 ? 0 : static_cast<double>(w.output_threshold[k - 1]))) * 0x1p-64;
}

/// sum over instances and classes of (count - n p)^2 / (n p), over a threshold passed with
/// probability 1e-9 under the multinomial law: chi-square with (K - 1) runs degrees of freedom in
/// the limit of large n p (Laurent and Massart 2000, Lemma 1). Too small a spread is caught by the
/// lower bound of the same lemma, d - 2 sqrt(d x).
std::pair<double, double> spread(Workload const& w, int runs,
                                 std::function<void(std::uint64_t, std::int64_t*)> const& draw)
{
    std::vector<std::int64_t> counts(w.output_value.size());
    double statistic = 0;
    for (int r = 0; r < runs; ++r) {
        draw(static_cast<std::uint64_t>(r), counts.data());
        for (std::size_t k = 0; k < counts.size(); ++k) {
            auto const expected = static_cast<double>(w.requests) * mass(w, k);
            auto const off = static_cast<double>(counts[k]) - expected;
            statistic += off * off / expected;
        }
    }
    auto const d = static_cast<double>(counts.size() - 1) * runs, x = std::log(1e9);
    return {statistic / (d + 2 * std::sqrt(d * x) + 2 * x),
            statistic / std::max(1.0, d - 2 * std::sqrt(d * x))};
}

// H0: counts are multinomial. False alarm 2e-9 a law, 1e-8 in all.
TEST(DrawCounts, AreMultinomial)
{
    for (auto const& law : {two_point_law(1, 9, 0.3), two_point_law(1, 9, 0.5), uniform_law(1, 50),
                            geometric_law(0.8, 12), linear_geometric_law(0.6, 8)})
        for (std::int64_t const n : {5'000, 40'000'000}) {
            auto const w = table(law, n);
            auto const [high, low] = spread(w, 2000, [&](auto instance, auto* counts) {
                draw_counts(view_of(w), instance, counts);
            });
            EXPECT_LT(high, 1) << law.value.size() << " classes, n " << n;
            EXPECT_GT(low, 1) << law.value.size() << " classes, n " << n;
        }
}

// Small n by enumeration: the pair of counts of 7 requests on three lengths against its multinomial
// probabilities, chi-square with false alarm 1e-9.
TEST(DrawCounts, SmallNumbersAgainstTheirProbabilities)
{
    auto const w = table(uniform_law(1, 3), 7);
    std::vector<double> seen(64, 0);
    int const runs = 200000;
    for (int r = 0; r < runs; ++r) {
        std::int64_t counts[3];
        draw_counts(view_of(w), static_cast<std::uint64_t>(r), counts);
        ASSERT_EQ(counts[0] + counts[1] + counts[2], 7);
        ++seen[static_cast<std::size_t>(counts[0] * 8 + counts[1])];
    }
    double statistic = 0;
    int cells = 0;
    for (int a = 0; a <= 7; ++a)
        for (int b = 0; a + b <= 7; ++b, ++cells) {
            auto const log_p = std::lgamma(8) - std::lgamma(a + 1) - std::lgamma(b + 1) -
                               std::lgamma(8 - a - b) - 7 * std::log(3);
            auto const expected = runs * std::exp(log_p);
            auto const off = seen[static_cast<std::size_t>(a * 8 + b)] - expected;
            statistic += off * off / expected;
        }
    double const d = cells - 1, x = std::log(1e9);
    EXPECT_LT(statistic, d + 2 * std::sqrt(d * x) + 2 * x);
}

// Planted faults: counts rounded to their means vary too little, a bias of one part in 200 shows.
TEST(DrawCounts, FaultsAreCaught)
{
    auto const w = table(two_point_law(1, 9, 0.3), 40'000'000);
    auto const rounded = spread(w, 2000, [&](auto, auto* counts) {
        counts[0] = 12'000'000;
        counts[1] = 28'000'000;
    });
    EXPECT_LT(rounded.second, 1);
    auto const biased = spread(w, 2000, [&](auto instance, auto* counts) {
        auto other = table(two_point_law(1, 9, 0.3015), 40'000'000);
        draw_counts(view_of(other), instance, counts);
    });
    EXPECT_GT(biased.first, 1);
}

// A law of one length uses no word and a threshold at 2^63 splits once.
TEST(DrawCounts, CertainClasses)
{
    std::int64_t counts[2];
    draw_counts(view_of(table(two_point_law(4, 4, 0.5), 1000)), 0, counts);
    EXPECT_EQ(counts[0], 1000);
}

// The most requests that a workload has do not fit a signed number of 32 bits.
TEST(DrawCounts, HoldTheMostRequests)
{
    std::int64_t const most = (std::int64_t{1} << 32) - 2;
    for (std::int64_t const n : {std::int64_t{1} << 31, most}) {
        auto const w = table(uniform_law(1, 50), n);
        std::vector<std::int64_t> counts(50);
        for (std::uint64_t instance = 0; instance < 20; ++instance) {
            draw_counts(view_of(w), instance, counts.data());
            std::int64_t sum = 0;
            for (auto const count : counts) {
                // Some 500 standard deviations.
                EXPECT_LE(std::abs(count - n / 50), n / 1000);
                sum += count;
            }
            EXPECT_EQ(sum, n);
        }
    }
}

} // namespace
} // namespace crx
