#include "kernels/model/draw_counts.cuh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

/// Chi-square of `runs` draws against Bin(n, p), over a threshold passed with probability 1e-9 by
/// Bin(n, 1/2) if p = 1/2; cells that expect fewer than 50 draws are joined.
double distance(std::int64_t n, double p, int runs, WordStream& words)
{
    std::vector<std::int64_t> seen(static_cast<std::size_t>(n) + 1, 0);
    for (int r = 0; r < runs; ++r) ++seen.at(static_cast<std::size_t>(fair_binomial(n, words)));
    double statistic = 0, expected = 0, observed = 0;
    int cells = 0;
    auto const real = [](std::int64_t x) { return static_cast<double>(x); };
    for (std::int64_t k = 0; k <= n; ++k) {
        expected += runs * std::exp(std::lgamma(real(n) + 1) - std::lgamma(real(k) + 1) -
                                    std::lgamma(real(n - k) + 1) + real(k) * std::log(p) +
                                    real(n - k) * std::log1p(-p));
        observed += real(seen[static_cast<std::size_t>(k)]);
        if (expected < 50 && k < n) continue;
        statistic += (observed - expected) * (observed - expected) / std::max(expected, 1.0);
        ++cells;
        expected = observed = 0;
    }
    double const d = cells, x = std::log(1e9);
    return statistic / (d + 2 * std::sqrt(d * x) + 2 * x);
}

// H0: Bin(n, 1/2). False alarm 1e-9 an n, 8e-9 in all. Power: p = 0.499 (n = 10^5) and 0.49 are
// seen.
TEST(FairBinomial, HasItsLaw)
{
    WordStream words(crx_test::test_seed(), stream_lengths, 5);
    for (std::int64_t const n : {1, 7, 64, 200, 256, 257, 3000, 100000})
        EXPECT_LT(distance(n, 0.5, 200000, words), 1) << n;
    EXPECT_GT(distance(200, 0.49, 200000, words), 1);
    EXPECT_GT(distance(100000, 0.499, 200000, words), 1);
}

TEST(FairBinomial, UsesNoWordForNoCoins)
{
    WordStream words(1, stream_lengths, 0), same(1, stream_lengths, 0);
    EXPECT_EQ(fair_binomial(0, words), 0);
    EXPECT_EQ(words.next(), same.next());
}

} // namespace
} // namespace crx
