#include "analysis/worst/laws/composition_search.hh"
#include "kernels/policies/policy_info.hh"

#include <gtest/gtest.h>
#include <numeric>

namespace crx::worst {
namespace {

CompositionSpace two_points()
{
    CompositionSpace space;
    space.lengths = {10, 40};
    space.requests = {20000, 20000};
    space.prompt = {0, 0};
    space.upper = {40, 40};
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
    space.requests = {10, 1000};
    space.prompt = {3, 9};
    space.upper = {5, 20};
    space.memory = 100;
    EXPECT_EQ(dimensions(space), 6u);
    EXPECT_EQ(dimensions(two_points()), 2u);
    for (double const x : {0.0, 0.3, 1.0}) {
        auto const c = composition_at(space, {x, 0.5, 0.25, x, x, x});
        EXPECT_EQ(std::accumulate(c.counts.begin(), c.counts.end(), std::int64_t{0}), c.requests);
        EXPECT_TRUE(c.requests >= 10 && c.requests <= 1000);
        EXPECT_TRUE(c.prompt >= 3 && c.prompt <= 9 && c.upper >= 5 && c.upper <= 20);
    }
    EXPECT_EQ(composition_at(space, {0, 0, 0, 0, 0, 0}).counts,
              (std::vector<std::int64_t>{4, 3, 3}));
    // By the cubes of the weights: 1 to 1/8.
    EXPECT_EQ(composition_at(space, {1, 0.5, 0, 1, 0, 0}).counts,
              (std::vector<std::int64_t>{889, 111, 0}));
}

// CHEN, Theorem 5.2 at alpha = 1/4 and s = 0: 1 + alpha / (2 (1 - alpha)) = 7/6, reached within a
// hundredth with n/M = 25.
TEST(CompositionSearch, ReachesTheTwoPointBoundOfALl)
{
    auto const found = search_compositions(two_points(), settings_for("a-ell"));
    ASSERT_TRUE(found);
    EXPECT_GT(found->ratio, 0.99 * 7 / 6);
    EXPECT_LT(found->ratio, 1.01 * 7 / 6);
    EXPECT_GT(found->composition.counts[0], 0);
    EXPECT_GT(found->composition.counts[1], 0);
}

TEST(CompositionSearch, RepeatsExactlyAndStops)
{
    auto settings = settings_for("a-random");
    settings.evaluations = 40;
    auto const one = search_compositions(two_points(), settings).value();
    auto const two = search_compositions(two_points(), settings).value();
    EXPECT_EQ(one.ratio, two.ratio);
    EXPECT_EQ(one.composition.counts, two.composition.counts);
    EXPECT_LE(one.evaluations, 40);
    int asked = 0;
    settings.stop = [&] { return ++asked > 5; };
    EXPECT_LE(search_compositions(two_points(), settings).value().evaluations, 5);
}

} // namespace
} // namespace crx::worst
