#include "analysis/laws/discrete_laws.hh"

#include <gtest/gtest.h>
#include <numeric>

namespace crx {

namespace {

using Counts = std::vector<std::int64_t>;

TEST(LargestRemainder, IsExactByHand)
{
    EXPECT_EQ(largest_remainder(2000, {400, 1600}), (Counts{400, 1600}));
    EXPECT_EQ(largest_remainder(200, {400, 1600}), (Counts{40, 160}));
    // 10/3 each: the first takes the one that is left.
    EXPECT_EQ(largest_remainder(10, {1, 1, 1}), (Counts{4, 3, 3}));
    // 1.4, 4.2, 1.4 of 7: one is left, and 0.4 is the largest remainder, first at index 0.
    EXPECT_EQ(largest_remainder(7, {1, 3, 1}), (Counts{2, 4, 1}));
    EXPECT_EQ(largest_remainder(5, {0, 2, 0}), (Counts{0, 5, 0}));
    EXPECT_EQ(largest_remainder(0, {1, 2}), (Counts{0, 0}));
}

TEST(LargestRemainder, EqualRemaindersOfDecimalsGoToTheFirst)
{
    // 0.1 is the same double each time, so the remainders are equal though 0.1 is no binary number.
    EXPECT_EQ(largest_remainder(4, {0.1, 0.1, 0.1}), (Counts{2, 1, 1}));
}

TEST(LargestRemainder, AlwaysSumsToN)
{
    for (std::int64_t n : {1, 7, 100, 99'999'999}) {
        auto const counts = largest_remainder(n, {0.3, 1e-9, 7, 123456.75, 1.0 / 3});
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), n);
    }
}

} // namespace

} // namespace crx
