#include "analysis/claims/tools/composition.hh"

#include "analysis/bounds/two_point_bounds.hh"

#include <gtest/gtest.h>

namespace crx::claims {
namespace {

// Two lengths, of which the closed form is tested against Lemma 4.6 itself.
TEST(Composition, FluidRatioOfTwoLengthsIsTheClosedForm)
{
    auto const c = two_point(3, 7, 100, 30, 2);
    ASSERT_EQ(c.count, (std::vector<std::int64_t>{2000, 1000}));
    EXPECT_NEAR(fluid_ratio(c), bounds::a_min_two_point(bounds::shape_of_lengths(3, 7, 0), 2),
                1e-12);
}

} // namespace
} // namespace crx::claims
