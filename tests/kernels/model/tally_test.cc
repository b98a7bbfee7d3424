#include "kernels/model/tally.cuh"

#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

TEST(FixedRatio, IsRoundedToNearest)
{
    EXPECT_EQ(fixed_ratio(1, 1), std::int64_t{1} << 32);
    EXPECT_EQ(fixed_ratio(0, 7), 0);
    EXPECT_EQ(fixed_ratio(1, 3), 1431655765);            // 2^32 / 3 = 1431655765.33
    EXPECT_EQ(fixed_ratio(2, 3), 2863311531);            // 2863311530.67
    EXPECT_EQ(fixed_ratio(1, std::int64_t{1} << 33), 1); // a half, up
    // Beyond 64 bits on the way: 3e18 / 1e18.
    EXPECT_EQ(fixed_ratio(3000000000000000000, 1000000000000000000), std::int64_t{3} << 32);
}

TEST(FixedRatioDeathTest, RefusesAZeroDenominator)
{
    EXPECT_DEATH(fixed_ratio(1, 0), "broken contract");
}

TEST(HistogramBin, IsMonotoneAndAThousandthWide)
{
    std::mt19937_64 rng(1);
    std::int64_t previous = 0;
    for (int k = 0; k < 200000; ++k) {
        auto const ratio = static_cast<FixedRatio>(rng() >> (2 + rng() % 60));
        auto const bin = histogram_bin(ratio);
        ASSERT_LE(histogram_bin_start(bin), ratio);
        ASSERT_GT(histogram_bin_start(bin + 1), ratio);
        ASSERT_LE(histogram_bin_start(bin + 1) - histogram_bin_start(bin), 1 + ratio / 1024);
        ASSERT_EQ(histogram_bin(histogram_bin_start(bin)), bin);
        if (previous <= ratio) {
            ASSERT_LE(histogram_bin(previous), bin);
        }
        previous = ratio;
    }
}

TEST(Unsigned192, CarriesThroughAllLimbs)
{
    Unsigned192 sum;
    auto const most = ~Unsigned128{0};
    sum.add(most);
    sum.add(Unsigned128{1});
    EXPECT_EQ(sum, (Unsigned192{0, 0, 1}));
    for (int k = 0; k < 3; ++k) sum.add(most);
    EXPECT_EQ(sum, (Unsigned192{~std::uint64_t{0} - 2, ~std::uint64_t{0}, 3}));
    Unsigned192 twice = sum;
    twice.add(sum);
    EXPECT_DOUBLE_EQ(twice.to_double(), 2 * sum.to_double());
}

/// Some random outcomes, an unfinished one among them.
std::vector<Outcome> outcomes()
{
    std::mt19937_64 rng(2);
    std::vector<Outcome> all;
    for (int k = 0; k < 100; ++k) {
        Outcome o;
        o.total_latency = 1 + static_cast<std::int64_t>(rng() % 1000);
        o.makespan = static_cast<Rounds>(rng() % 50);
        o.peak_memory = static_cast<Tokens>(rng() % 90);
        o.cancellations = static_cast<std::int64_t>(rng() % 9);
        o.first_token_latency = o.total_latency / 2;
        if (k == 50) o.give_up(Unfinished::blocked);
        all.push_back(o);
    }
    return all;
}

TEST(PolicySums, DoNotDependOnHowTheWorkIsCut)
{
    auto const all = outcomes();
    std::int64_t const baselines[baseline_kinds] = {100, 0};
    PolicySums whole, backwards;
    PolicySums part[3];
    for (std::size_t k = 0; k < all.size(); ++k)
        whole.add(all[k], baselines, static_cast<std::int64_t>(k));
    for (std::size_t k = all.size(); k-- > 0;)
        part[k % 3].add(all[k], baselines, static_cast<std::int64_t>(k));
    for (int p : {2, 0, 1}) backwards.add(part[p]);
    EXPECT_EQ(whole, backwards);
    EXPECT_EQ(whole.count, 99);
    EXPECT_EQ(whole.unfinished, 1);
    EXPECT_EQ(whole.unfinished_by[static_cast<int>(Unfinished::blocked)], 1);
    EXPECT_GT(whole.first_token_latency, 0u);
    EXPECT_EQ(whole.ratio[1].largest.instance, -1); // a baseline of 0 was not asked for
}

TEST(PolicySums, ExtremesNameTheLowestInstance)
{
    std::int64_t const baselines[baseline_kinds] = {10, 10};
    PolicySums sums;
    for (std::int64_t const instance : {7, 3, 5}) {
        Outcome o;
        o.total_latency = 20;
        sums.add(o, baselines, instance);
    }
    EXPECT_EQ(sums.ratio[0].largest.instance, 3);
    EXPECT_EQ(sums.ratio[0].smallest.instance, 3);
    EXPECT_EQ(sums.ratio[0].largest.ratio, std::int64_t{2} << 32);
}

} // namespace
} // namespace crx
