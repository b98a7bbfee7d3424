#include "kernels/random/counted_rows.hh"
#include "support/test_seed.hh"

#include <bit>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace crx {
namespace {

/// Rows up to a multiple of eight; a few, many or all bits are set.
std::vector<std::uint64_t> random_rows(std::mt19937_64& rng, std::size_t n)
{
    std::vector<std::uint64_t> rows((n + 7) / 8 * 8);
    auto const kind = rng() % 4;
    for (auto& row : rows)
        row = kind == 0 ? rng() & rng() & rng() : kind == 1 ? rng() : kind == 2 ? ~0ull : 0;
    return rows;
}

// 3,000 times up to 1,030 rows, what lies behind them included.
TEST(RowMarks, CountAndAddUpByTheRule)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int run = 0; run < 3000 && !HasFailure(); ++run) {
        auto const n = static_cast<std::size_t>(rng() % (run % 10 == 0 ? 1031 : 40));
        auto const rows = random_rows(rng, n);
        std::vector<std::uint64_t> counted(2 * rows.size() + 1, 77);
        add_up_rows(rows.data(), static_cast<std::int64_t>(n), counted.data());
        std::int64_t marked = 0;
        std::uint64_t through = 0;
        for (std::size_t h = 0; h < 2 * rows.size(); ++h) {
            auto const half = static_cast<std::uint32_t>(rows[h / 2] >> 32 * (h % 2));
            through += static_cast<std::uint64_t>(std::popcount(half));
            ASSERT_EQ(counted[h], through << 32 | half) << n << " rows, half " << h;
            if (h < 2 * n) marked = static_cast<std::int64_t>(through);
        }
        ASSERT_EQ(counted.back(), through << 32) << n;
        ASSERT_EQ(count_rows(rows.data(), static_cast<std::int64_t>(n)), marked) << n;
    }
}

} // namespace
} // namespace crx
