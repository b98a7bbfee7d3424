#include "kernels/model/arrivals.cuh"
#include "support/test_seed.hh"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

constexpr int draws = 1 << 20;

double to_real(Exponential const& e)
{
    return static_cast<double>(e.whole) + static_cast<double>(e.fraction) * 0x1p-64;
}

/// Largest distance between the empirical and the exponential distribution function, times
/// sqrt(draws), over its threshold sqrt(ln(2e9) / 2): above 1 has probability below 1e-9
/// (Massart 1990, doi:10.1214/aop/1176990746).
template <class Draw>
double distance_over_threshold(Draw draw)
{
    std::vector<double> sample(draws);
    for (auto& x : sample) x = draw();
    std::sort(sample.begin(), sample.end());
    double largest = 0;
    for (int k = 0; k < draws; ++k) {
        auto const cdf = -std::expm1(-sample[static_cast<std::size_t>(k)]);
        largest = std::max({largest, cdf - static_cast<double>(k) / draws,
                            static_cast<double>(k + 1) / draws - cdf});
    }
    return largest * std::sqrt(double{draws}) / std::sqrt(std::log(2e9) / 2);
}

// H0: the law is exponential with mean 1. False alarm 1e-9. Detectable: a distribution function
// that is off by 0.007 anywhere.
TEST(Exponential, HasItsLaw)
{
    WordStream words(crx_test::test_seed(), stream_arrivals, 1);
    EXPECT_LT(distance_over_threshold([&] { return to_real(exponential(words)); }), 1);
}

// Consecutive draws are independent: the larger of two has distribution function (1 - e^-x)^2, so
// its (1 - e^-x)^2 is uniform and -log of the complement is exponential again. False alarm 1e-9.
TEST(Exponential, NeighboursAreIndependent)
{
    WordStream words(crx_test::test_seed(), stream_arrivals, 2);
    EXPECT_LT(distance_over_threshold([&] {
                  auto const one = to_real(exponential(words)), two = to_real(exponential(words));
                  auto const cdf = -std::expm1(-std::max(one, two));
                  return -std::log1p(-cdf * cdf);
              }),
              1);
}

// A trial that stops one word early (success with probability 1 - u1, as if n = 2 were the only
// even number) is caught.
TEST(Exponential, AShortTrialIsCaught)
{
    WordStream words(crx_test::test_seed(), stream_arrivals, 3);
    EXPECT_GT(distance_over_threshold([&] {
                  for (std::uint64_t whole = 0;; ++whole) {
                      auto const first = words.next();
                      if (words.next() >= first) return to_real({whole, first});
                  }
              }),
              2);
}

TEST(Exponential, ScalesInIntegers)
{
    EXPECT_EQ((Exponential{0, std::uint64_t{1} << 63}.scaled(7)), 3u);
    EXPECT_EQ((Exponential{2, std::uint64_t{1} << 62}.scaled(1'000'001)), 2'250'002u);
    EXPECT_EQ((Exponential{0, ~std::uint64_t{0}}.scaled(std::uint64_t{1} << 40)),
              (std::uint64_t{1} << 40) - 1);
}

// Words used for a draw are part of the contract (docs/random-choices.md): e / (1 - 1/e) on
// average. The standard deviation of one draw's words is below 4.
TEST(Exponential, TakesTheExpectedNumberOfWords)
{
    struct Trials
    {
        std::int64_t words = 0;
    } counted;
    WordStream one(crx_test::test_seed(), stream_arrivals, 4), other = one;
    for (int k = 0; k < draws; ++k) exponential(one);
    auto const mark = one.next();
    while (other.next() != mark) ++counted.words;
    EXPECT_NEAR(static_cast<double>(counted.words) / draws, std::exp(1) / (1 - std::exp(-1)),
                6.2 * 4 / std::sqrt(double{draws}));
}

} // namespace
} // namespace crx
