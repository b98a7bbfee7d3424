#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/identical_dual.hh"
#include "analysis/sorted_f/relaxation.hh"

#include <algorithm>
#include <gtest/gtest.h>

namespace crx::baseline {
namespace {

/// n requests of which each fills the memory alone at its end.
OwnedInstance identical(std::int64_t n)
{
    OwnedInstance instance;
    instance.memory = INT32_MAX;
    instance.resize(static_cast<std::size_t>(n));
    std::ranges::fill(instance.arrival, 0);
    std::ranges::fill(instance.prompt, 0);
    for (auto* field : {&instance.output, &instance.lower, &instance.upper})
        std::ranges::fill(*field, INT32_MAX);
    return instance;
}

// About n^2 o / 4.
TEST(HindsightNearLimit, DualHasNoValueFromTheLimitOn)
{
    auto const bound = [](std::int64_t n) {
        auto const instance = identical(n);
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

// No schedule is in range: none is left, the bounds say why they have no value, and nothing is
// searched; the relaxation has nothing to start from.
TEST(HindsightNearLimit, LeavesOutWhatIsOutOfRange)
{
    auto const instance = identical(200'000);
    auto const result = hindsight(instance, {});
    EXPECT_TRUE(result.schedules.empty());
    EXPECT_EQ(result.upper, 0);
    EXPECT_EQ(result.bound("outputs"), 200'000ll * INT32_MAX);
    for (auto const* id : {"volume", "dual"}) {
        auto const found = std::ranges::find(result.bounds, id, &LowerBound::id);
        ASSERT_NE(found, result.bounds.end());
        EXPECT_FALSE(found->value);
        EXPECT_EQ(found->remark, "2^62 or more");
    }
    EXPECT_THROW(sorted_lp::relax(instance), std::domain_error);
}

} // namespace
} // namespace crx::baseline
