#include "analysis/statistics/quantile.hh"
#include "analysis/statistics/summary.hh"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace crx {
namespace {

constexpr auto h_sf = BaselineKind::h_sf;

/// Sums over (total latency, h-sf) pairs, instances 0, 1, ..
PolicySums sums_of(std::initializer_list<std::pair<std::int64_t, std::int64_t>> pairs)
{
    PolicySums sums;
    std::int64_t instance = 0;
    for (auto const& [latency, baseline] : pairs) {
        Outcome outcome;
        outcome.total_latency = latency;
        std::int64_t const baselines[baseline_kinds] = {baseline, 0};
        sums.add(outcome, baselines, instance++);
    }
    return sums;
}

// Ratios 2, 3/2, 1: mean 3/2, deviation 1/2.
TEST(Summary, ThreeInstancesByHand)
{
    auto const s = summarise(sums_of({{4, 2}, {3, 2}, {2, 2}}), h_sf, 0.95);
    EXPECT_EQ(s.instances, 3);
    EXPECT_DOUBLE_EQ(s.mean_of_ratios->mean, 1.5);
    EXPECT_DOUBLE_EQ(*s.mean_of_ratios->deviation, 0.5);
    EXPECT_DOUBLE_EQ(s.ratio_of_means->mean, 1.5);
    EXPECT_DOUBLE_EQ(*s.ratio_of_means->deviation, 0.5); // equal baselines: the same
    EXPECT_EQ(*s.smallest, 1);
    EXPECT_EQ(*s.largest, 2);
    EXPECT_EQ(s.smallest_instance, 2);
    EXPECT_EQ(s.largest_instance, 0);
}

// 1/1 and 30/10: mean of ratios 2, ratio of means 31/11. They are different numbers.
TEST(Summary, TheTwoAveragesDiffer)
{
    auto const s = summarise(sums_of({{1, 1}, {30, 10}}), h_sf, 0.95);
    EXPECT_DOUBLE_EQ(s.mean_of_ratios->mean, 2);
    EXPECT_DOUBLE_EQ(s.ratio_of_means->mean, 31.0 / 11);
}

TEST(Summary, NothingIsSaidWithoutInstancesOrBaseline)
{
    EXPECT_FALSE(summarise(PolicySums{}, h_sf, 0.95).mean_of_ratios);
    auto const s = summarise(sums_of({{4, 2}}), BaselineKind::volume, 0.95);
    EXPECT_FALSE(s.mean_of_ratios || s.ratio_of_means || s.largest);
}

TEST(Summary, ComparesMeansExactly)
{
    auto const sum = [](std::initializer_list<std::pair<std::int64_t, std::int64_t>> pairs) {
        return sum_of_ratios({sums_of(pairs), {}}, h_sf);
    };
    auto const a = sum({{4, 2}, {3, 2}}), b = sum({{7, 4}}), none = sum({});
    EXPECT_FALSE(larger_mean(a, b)); // 7/4 both
    EXPECT_FALSE(larger_mean(b, a));
    EXPECT_TRUE(larger_mean(sum({{701, 400}}), a));
    EXPECT_TRUE(larger_mean(a, none));
    EXPECT_FALSE(larger_mean(none, a));
    EXPECT_FALSE(larger_mean(none, none));
}

/// Ratios in hundredths over a bound that instances of ratio 0 lack.
RatioSum over_peaks(std::initializer_list<std::int64_t> hundredths)
{
    constexpr auto peaks = static_cast<std::size_t>(BaselineKind::peaks);
    PolicyTally tally;
    std::int64_t instance = 0;
    for (auto const latency : hundredths) {
        Outcome outcome;
        outcome.finished = 1;
        outcome.total_latency = std::max<std::int64_t>(latency, 1);
        std::int64_t baselines[baseline_kinds] = {};
        baselines[peaks] = latency > 0 ? 100 : 0;
        tally.sums.add(outcome, baselines, instance++);
        if (latency > 0) ++tally.histogram[peaks][histogram_bin(fixed_ratio(latency, 100))];
    }
    return sum_of_ratios(tally, BaselineKind::peaks);
}

// 2 over the one instance that has the bound is more than 3/2 over two, though 2/3 is less.
TEST(Summary, ComparesMeansOfTheInstancesThatHaveTheBaseline)
{
    EXPECT_EQ(over_peaks({200, 0, 0}).count, 1);
    EXPECT_TRUE(larger_mean(over_peaks({200, 0, 0}), over_peaks({150, 150})));
    EXPECT_FALSE(larger_mean(over_peaks({150, 150}), over_peaks({200, 0, 0})));
    EXPECT_TRUE(larger_mean(over_peaks({1}), over_peaks({0, 0})));
}

TEST(Quantile, OfOneToAHundred)
{
    Histogram histogram;
    auto const ratio = [](std::int64_t k) { return k << ratio_fraction_bits; };
    for (std::int64_t k = 1; k <= 100; ++k) ++histogram[histogram_bin(ratio(k))];
    for (auto const& [p, expected] :
         {std::pair{0.01, 1.0}, {0.5, 50.0}, {0.99, 99.0}, {1.0, 100.0}})
        EXPECT_NEAR(*quantile(histogram, p, ratio(1), ratio(100)), expected, expected / 1024);
}

/// P(B < k) for B binomial, term by term.
long double below(std::int64_t k, std::int64_t n, double p)
{
    long double sum = 0;
    for (std::int64_t i = 0; i < k; ++i) {
        auto const log_term = std::lgamma(n + 1.0L) - std::lgamma(i + 1.0L) -
                              std::lgamma(n - i + 1.0L) +
                              i * std::log(static_cast<long double>(p)) +
                              (n - i) * std::log1p(-static_cast<long double>(p));
        sum += std::exp(log_term);
    }
    return sum;
}

// The ranks are the innermost that the binomial law allows, and there are none past the sample.
TEST(Quantile, RanksAreByTheBinomialLaw)
{
    for (std::int64_t const n : {1, 2, 10, 58, 100, 367, 368, 400, 1000})
        for (double const p : {0.01, 0.5, 0.9, 0.99}) {
            SCOPED_TRACE(testing::Message() << "n = " << n << ", p = " << p);
            auto const ranks = quantile_ranks(n, p, 0.95);
            auto const low = ranks.low.value_or(0), high = ranks.high.value_or(n + 1);
            EXPECT_LE(below(low, n, p), 0.025L);
            EXPECT_GT(below(low + 1, n, p), 0.025L);
            EXPECT_LE(1 - below(high, n, p), ranks.high ? 0.025L : 1.0L);
            EXPECT_GT(1 - below(high - 1, n, p), 0.025L);
        }
    // The median of ten lies between the 2nd and the 9th: 2 (1 + 10) / 1024 = 2.1 %.
    EXPECT_EQ(quantile_ranks(10, 0.5, 0.95).low, 2);
    EXPECT_EQ(quantile_ranks(10, 0.5, 0.95).high, 9);
    // 0.99^367 = 0.02500, 0.99^368 = 0.02475.
    EXPECT_FALSE(quantile_ranks(367, 0.99, 0.95).high);
    EXPECT_EQ(quantile_ranks(368, 0.99, 0.95).high, 368);
    EXPECT_FALSE(quantile_ranks(100, 0.01, 0.95).low);
}

TEST(Quantile, IsExactWhereAllAreEqual)
{
    FixedRatio const r = (1LL << 32) + 12345;
    EXPECT_EQ(*quantile({{histogram_bin(r), 7}}, 0.5, r, r), to_double(r));
    EXPECT_FALSE(quantile({}, 0.5, 0, 0));
}

} // namespace
} // namespace crx
