#include "analysis/baseline/search/late_starts.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace crx::baseline {
namespace {

// Rows keep to the memory allowed, and a row of several rounds lacks no start: what it has too many
// is of its own rounds.
TEST(LateStarts, RowsOfSeveralRoundsLackNone)
{
    std::mt19937_64 rng(7);
    std::vector<std::int32_t> start(256);
    for (auto& k : start) k = rng() % 5 == 0 ? -1 : 70'000 + static_cast<std::int32_t>(rng() % 300);
    for (std::size_t const most : {4000, 700, 100, 5}) {
        LateStarts late;
        ASSERT_TRUE(late.tabulate(start, 100, most));
        EXPECT_EQ(late.stride() == 1, most == 4000);
        for (std::int64_t t = 69'990; t < 70'310; ++t) {
            auto const& row = late.row(t);
            for (std::size_t bit = 0; bit < start.size(); ++bit) {
                auto const there = (row[bit / 64] >> (bit % 64) & 1) != 0;
                auto const own = start[bit] >= 0 && start[bit] > t - late.stride();
                if (start[bit] >= t)
                    ASSERT_TRUE(there) << start[bit] << " from " << t;
                else
                    ASSERT_LE(there, own) << start[bit] << " from " << t;
            }
        }
    }
}

TEST(LateStarts, AreAskedForNoLongerThanTimeAllows)
{
    std::vector<std::int32_t> const start(64, 5);
    LateStarts late;
    EXPECT_FALSE(late.tabulate(start, {100, [] { return true; }}));
    EXPECT_TRUE(late.tabulate(start, 100));
}

} // namespace
} // namespace crx::baseline
