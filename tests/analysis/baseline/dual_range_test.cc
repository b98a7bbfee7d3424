#include "analysis/baseline/identical_dual.hh"

#include <algorithm>
#include <gtest/gtest.h>

namespace crx::baseline {
namespace {

// The dual bound of identical requests: about n^2 o^2 / 4 M.
TEST(IdenticalDual, HasNoValueFromTheLimitOn)
{
    auto const bound = [](std::int64_t n) {
        OwnedInstance instance;
        instance.memory = INT32_MAX;
        instance.resize(static_cast<std::size_t>(n));
        std::ranges::fill(instance.arrival, 0);
        std::ranges::fill(instance.prompt, 0);
        for (auto* field : {&instance.output, &instance.lower, &instance.upper})
            std::ranges::fill(*field, INT32_MAX);
        EXPECT_TRUE(are_identical(instance));
        return identical_dual_bound(instance);
    };
    std::int64_t low = 60'000, high = 200'000; // has a value, has none
    while (high - low > 1) (bound((low + high) / 2) ? low : high) = (low + high) / 2;
    ASSERT_TRUE(bound(low));
    EXPECT_LT(*bound(low), time_limit);
    EXPECT_GT(*bound(low), time_limit / 1000 * 999);
    EXPECT_FALSE(bound(high));
    EXPECT_FALSE(bound(400'000));
}

} // namespace
} // namespace crx::baseline
