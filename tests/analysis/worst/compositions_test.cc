#include "analysis/worst/compositions.hh"
#include "kernels/policies/policy_info.hh"

#include <gtest/gtest.h>
#include <numeric>

namespace crx::worst {
namespace {

CompositionSpace two_points()
{
    CompositionSpace space;
    space.lengths = {10, 40};
    space.requests = 20000;
    space.memory = 800;
    return space;
}

CompositionSettings settings_for(char const* id)
{
    CompositionSettings settings;
    settings.policy = {find_policy(id)->kind, {}};
    settings.instances = 4;
    settings.evaluations = 120;
    settings.launch = [](Cell const& cell, std::int64_t count) {
        return launch_host(cell, {0, count});
    };
    return settings;
}

TEST(Compositions, ArePointsOfTheirSpace)
{
    CompositionSpace space;
    space.lengths = {1, 2, 5};
    space.requests = 10;
    space.memory = 100;
    EXPECT_EQ(composition_at(space, {0, 0, 0}), (Composition{4, 3, 3}));
    space.requests = 1000;
    for (double const x : {0.0, 0.3, 1.0}) {
        auto const c = composition_at(space, {x, 0.5, 0.25});
        EXPECT_EQ(std::accumulate(c.begin(), c.end(), std::int64_t{0}), 1000);
    }
    // By the cubes of the weights: 1 to 1/8.
    EXPECT_EQ(composition_at(space, {1, 0.5, 0}), (Composition{889, 111, 0}));
}

// CHEN, Theorem 5.2 at alpha = 1/4 and s = 0: 1 + alpha / (2 (1 - alpha)) = 7/6, reached within a
// hundredth with n/M = 25.
TEST(CompositionSearch, ReachesTheTwoPointBoundOfALl)
{
    auto const found = search_compositions(two_points(), settings_for("a-ell"));
    ASSERT_TRUE(found);
    EXPECT_GT(found->ratio, 0.99 * 7 / 6);
    EXPECT_LT(found->ratio, 1.01 * 7 / 6);
    EXPECT_GT(found->composition[0], 0);
    EXPECT_GT(found->composition[1], 0);
}

TEST(CompositionSearch, RepeatsExactlyAndStops)
{
    auto settings = settings_for("a-random");
    settings.evaluations = 40;
    auto const one = search_compositions(two_points(), settings).value();
    auto const two = search_compositions(two_points(), settings).value();
    EXPECT_EQ(one.ratio, two.ratio);
    EXPECT_EQ(one.composition, two.composition);
    EXPECT_LE(one.evaluations, 40);
    int asked = 0;
    settings.stop = [&] { return ++asked > 5; };
    EXPECT_LE(search_compositions(two_points(), settings).value().evaluations, 5);
}

} // namespace
} // namespace crx::worst
