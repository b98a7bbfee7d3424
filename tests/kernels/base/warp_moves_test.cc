#include "kernels/base/warp_moves.cuh"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace crx {
namespace {

// Less than a vector, whole ones, more than are read at once; what lies beside stays as it is.
TEST(WarpMoves, AreByOnePlace)
{
    for (std::int32_t const count : {0, 1, 31, 32, 33, 255, 256, 257, 511, 513, 4000}) {
        std::vector<std::uint32_t> before(static_cast<std::size_t>(count) + 4);
        std::iota(before.begin(), before.end(), 100u);
        auto const first = before.begin() + 2;
        auto up = before, down = before, expected = before;
        std::copy_backward(first, first + count, expected.begin() + 2 + count + 1);
        move_up(up.data() + 2, count);
        EXPECT_EQ(up, expected) << count;
        expected = before;
        std::copy(first, first + count, expected.begin() + 1);
        move_down(down.data() + 2, count);
        EXPECT_EQ(down, expected) << count;
    }
}

TEST(WarpMoves, CountWhatIsBelow)
{
    std::vector<std::uint32_t> ascending(4096);
    for (std::size_t k = 0; k < ascending.size(); ++k)
        ascending[k] = static_cast<std::uint32_t>(k << 20 | 77); // the last ones past 2^31
    for (std::int32_t const count : {0, 1, 2, 31, 32, 33, 34, 1000, 1024, 1025, 4095, 4096})
        for (std::int32_t at = 0; at <= count; at += at < 70 || at > count - 70 ? 1 : 13)
            for (std::uint32_t const off : {0u, 1u}) {
                if (at == 4096) continue;
                auto const number = ascending[static_cast<std::size_t>(at)] + off;
                auto const below =
                    std::lower_bound(ascending.begin(), ascending.begin() + count, number) -
                    ascending.begin();
                ASSERT_EQ(count_below(ascending.data(), count, number), below)
                    << count << ' ' << at;
            }
}

} // namespace
} // namespace crx
