#include "kernels/random/log_factorials.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx {
namespace {

TEST(LogFactorials, AreWithinTheirBound)
{
    EXPECT_EQ(log_factorials.of[0], 0);
    EXPECT_EQ(log_factorials.of[1], 0);
    for (int n = 0; n < LogFactorials::size; ++n) {
        auto const expected = std::lgamma(static_cast<long double>(n) + 1);
        EXPECT_LE(std::abs(log_factorials.of[n] - expected), 0x1p-36L) << n;
    }
}

} // namespace
} // namespace crx
