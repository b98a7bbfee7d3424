#include "kernels/engines/lists/short_schedule.cuh"

#include <algorithm>
#include <gtest/gtest.h>

namespace crx::mc_sf_batch {
namespace {

// What sorts all inputs of zeros and ones sorts all (Knuth, The Art of Computer Programming 3,
// 5.3.4, Theorem Z).
TEST(MergeExchangeNetwork, SortsZerosAndOnesWithinItsItems)
{
    for (int n = 0; n <= 12; ++n) {
        auto const exchanges = merge_exchange(n);
        for (auto const& e : exchanges)
            ASSERT_TRUE(0 <= e.low && e.low < e.high && e.high < n) << n;
        for (unsigned input = 0; input < 1u << n; ++input) {
            auto x = input;
            for (auto const& e : exchanges)
                if ((x >> e.low & 1) > (x >> e.high & 1)) x ^= 1u << e.low | 1u << e.high;
            ASSERT_EQ(x, ((1u << std::popcount(input)) - 1) << (n - std::popcount(input))) << n;
        }
    }
}

} // namespace
} // namespace crx::mc_sf_batch
