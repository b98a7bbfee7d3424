#include "kernels/simd/shares.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

// What can go wrong does so next to a multiple: at it, and just below.
std::int64_t wrong_quotients(std::int32_t d, std::int32_t below, float share)
{
    std::int64_t wrong = 0;
    for (std::int64_t multiple = d; multiple <= below; multiple += d)
        for (auto const n : {multiple - 1, multiple}) {
            if (n >= below) continue;
            auto const product = static_cast<float>(n) * share;
            wrong += static_cast<std::int64_t>(product) != n / d;
        }
    return wrong;
}

TEST(Shares, AreExactBelowTheirLimit)
{
    for (std::int32_t d = 1; d < 2000; ++d)
        ASSERT_EQ(wrong_quotients(d, most_shared, share_of(d)), 0) << d;
    for (std::int32_t d = 2000; d < most_shared; d += 1 + d / 500)
        ASSERT_EQ(wrong_quotients(d, most_shared, share_of(d)), 0) << d;
}

// Neither is the nearest float enough, nor is there much room above the limit.
TEST(Shares, AreWrongElsewhere)
{
    std::int64_t nearest = 0, above = 0;
    for (std::int32_t d = 1; d < 2000; ++d) {
        nearest += wrong_quotients(d, most_shared, 1.0f / static_cast<float>(d));
        above += wrong_quotients(d, 4 * most_shared, share_of(d));
    }
    EXPECT_GT(nearest, 0);
    EXPECT_GT(above, 0);
}

} // namespace
} // namespace crx
