// WANG Table 3: O(n^2 M), O(n B / eps), O(n^2), O(n) for a batch. Counted on Algorithms 2 to 5 as
// printed; exponents are slopes between two sizes.
#include "claims/counted_selectors.hh"
#include "support/test_seed.hh"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace crx::sorted_f {
namespace {

using namespace claims;
using Items = SortedItems;

/// s and o uniform on 1 .. 50, as WANG EC.4.2.
Items uniform_items(std::size_t n, std::uint64_t seed)
{
    std::mt19937_64 rng(seed);
    Items items;
    for (std::size_t i = 0; i < n; ++i)
        items.push_back({i, static_cast<std::int32_t>(1 + rng() % 50),
                         static_cast<std::int32_t>(1 + rng() % 50)});
    return items;
}

/// Mean over ten instances.
double mean(std::size_t n, std::function<std::int64_t(Items const&)> const& count)
{
    double sum = 0;
    for (std::uint64_t k = 0; k < 10; ++k)
        sum += static_cast<double>(count(uniform_items(n, 100 * n + k)));
    return sum / 10;
}

double slope(double small, double large, double ratio)
{
    return std::log(large / small) / std::log(ratio);
}

TEST(WangTable3, CountedFormsAreTheSelectors)
{
    for (std::uint64_t k = 0; k < 60; ++k) {
        auto const items = uniform_items(5 + k, k);
        auto const exact = select_exact(items, 200).value();
        auto const counted = counted_table(items, 200, 1, true).quality,
                   quality = quality_of(items, exact);
        ASSERT_FALSE(counted < quality || quality < counted);
        ASSERT_EQ(counted_swap(items, 200).batch, select_swap(items, 200));
    }
}

// n^2 M is what the loops are bounded by; few reach. At fixed M no more than M / 2 items fit, and
// the exponent of n ends at one. In M it is two, as more items fit too.
TEST(WangTable3, ExactStaysBelowNSquaredM)
{
    auto const visits = [](Tokens memory) {
        return [=](Items const& items) { return counted_table(items, memory, 1, true).operations; };
    };
    auto const small = mean(240, visits(200)), large = mean(960, visits(200)),
               more = mean(240, visits(400));
    EXPECT_LT(large, 960.0 * 960 * 200 / 20);
    EXPECT_LT(slope(small, large, 4), 1.5);
    EXPECT_NEAR(slope(small, more, 2), 2, 0.3);
    RecordProperty("share", std::to_string(large / (960.0 * 960 * 200)));
    RecordProperty("in_n", std::to_string(slope(small, large, 4)));
    RecordProperty("in_M", std::to_string(slope(small, more, 2)));
}

// Algorithm 3 loops over every k and every cell for each request: n^2 B / eps, not n B / eps.
TEST(WangTable3, ScaledTakesNSquared)
{
    auto const visits = [](Items const& items) {
        return counted_table(items, 2000, 100, false).operations;
    };
    auto const small = mean(100, visits), large = mean(400, visits);
    EXPECT_NEAR(slope(small, large, 4), 2, 0.001);
    EXPECT_GT(large, 0.95 * 400 * 400 * 20); // cells B / eps = 20
}

// On WANG's uniform data a batch takes fewer than n^2. Here it takes n^3: n / 2 exchanges, as a
// first improving pair improves no more than it must, and each search passes n^2 / 8 pairs in vain.
TEST(WangTable3, SwapCanTakeTheThirdPower)
{
    std::vector<double> tests;
    for (std::int32_t const n : {64, 128, 256}) {
        auto const made = counted_swap(descending_items(n), Tokens{n} * n); // n / 2 fit
        EXPECT_EQ(made.exchanges, n / 2);
        EXPECT_GT(made.operations, std::int64_t{n} * n * n / 16);
        tests.push_back(static_cast<double>(made.operations));
    }
    EXPECT_NEAR(slope(tests[1], tests[2], 2), 3, 0.1);
    auto const visits = [](Items const& items) { return counted_swap(items, 1000).operations; };
    auto const small = mean(250, visits), large = mean(1000, visits);
    RecordProperty("worst_tests", std::to_string(slope(tests[1], tests[2], 2)));
    RecordProperty("uniform_tests", std::to_string(slope(small, large, 4)));
    RecordProperty("uniform_tests_at_1000", std::to_string(large));
    auto const swaps = [](Items const& items) { return counted_swap(items, 1000).exchanges; };
    RecordProperty("uniform_exchanges_250", std::to_string(mean(250, swaps)));
    RecordProperty("uniform_exchanges_1000", std::to_string(mean(1000, swaps)));
}

// The two sorts: n log n comparisons.
TEST(WangTable3, QuantileSorts)
{
    auto const small = mean(1000, counted_quantile_sorts),
               large = mean(64'000, counted_quantile_sorts);
    EXPECT_GT(large / 64'000, 1.3 * small / 1000);
    RecordProperty("per_request_1000", std::to_string(small / 1000));
    RecordProperty("per_request_64000", std::to_string(large / 64'000));
}

} // namespace
} // namespace crx::sorted_f
