#include "analysis/fluid/nested_groups.hh"

#include <gtest/gtest.h>

namespace crx::fluid {
namespace {

/// Prompts of 3 with outputs 2 and 5, prompts of 7 with output 4.
Load two_lengths() { return {0.3, 0.001, {{3, 2}, {7, 4}, {3, 5}}, {1, 1.5, 2}}; }

std::string refusal(std::vector<GroupEnds> const& groups)
{
    auto const load = two_lengths();
    try {
        nested_groups(load, groups, {load.rate});
    } catch (std::domain_error const& error) {
        return error.what();
    }
    return "accepted";
}

// One group is what the functions of one group say.
TEST(NestedGroups, OfOneAreNestedWait)
{
    Load const load{0.3, 0.002, {{3, 2}, {3, 5}, {3, 9}}, {1, 2, 1.5}};
    auto const one = nested_load(load, {2, 5, 9});
    auto const groups = nested_groups(load, {{3, {2, 5, 9}}}, {load.rate});
    EXPECT_EQ(groups_utilisation(groups), nested_utilisation(one));
    auto const n = *least_group_thresholds(groups, {{}});
    EXPECT_EQ(n.front(), *least_nested_thresholds(one));
    EXPECT_EQ(groups_batch_tokens(groups, n), nested_batch_tokens(3, {2, 5, 9}, n.front()));
    for (auto const& each :
         {GroupThresholds{{3, 3, 2}}, {{30, 12, 9}}, {{30, 24, 9}}, {{30, 25, 22}}})
        EXPECT_EQ(broken_group_condition(groups, each), broken_nested_condition(one, each.front()));
}

// No component can be lowered: by brute force over all smaller vectors. Given ones stay.
TEST(NestedGroups, LeastThresholdsAreTheLeast)
{
    auto const load = two_lengths();
    auto const groups = nested_groups(load, {{3, {2, 5}}, {7, {4}}}, {load.rate});
    EXPECT_NEAR(groups_utilisation(groups), utilisation(load), 1e-15);
    auto const n = *least_group_thresholds(groups, {{}, {}});
    EXPECT_EQ(broken_group_condition(groups, n), "");
    for (std::int64_t a = 1; a <= n[0][0] + 2; ++a)
        for (std::int64_t b = 1; b <= n[0][1] + 2; ++b)
            for (std::int64_t c = 1; c <= n[1][0] + 2; ++c)
                if (broken_group_condition(groups, {{a, b}, {c}}).empty()) {
                    EXPECT_TRUE(a >= n[0][0] && b >= n[0][1] && c >= n[1][0]);
                }
    auto const beside = *least_group_thresholds(groups, {{}, {50}});
    EXPECT_EQ(beside[1], (std::vector<std::int64_t>{50}));
    EXPECT_GT(beside[0][0], n[0][0]);
    EXPECT_EQ(broken_group_condition(groups, beside), "");
    auto shorter = beside;
    --shorter[0][0];
    EXPECT_NE(broken_group_condition(groups, shorter), "");
}

TEST(NestedGroups, NoneExistWhereTheSegmentsAreOverloaded)
{
    auto load = two_lengths();
    load.per_token = 0.0065; // stable, but not if all stay to stage 5
    EXPECT_LT(utilisation(load), 1);
    EXPECT_TRUE(
        least_group_thresholds(nested_groups(load, {{3, {2, 5}}, {7, {4}}}, {load.rate}), {{}, {}})
            .has_value());
    EXPECT_FALSE(
        least_group_thresholds(nested_groups(load, {{3, {5}}, {7, {4}}}, {load.rate}), {{}, {}})
            .has_value());
}

TEST(NestedGroups, SayWhatIsNoPartition)
{
    EXPECT_EQ(refusal({{3, {5}}, {3, {5}}, {7, {4}}}), "two groups have prompts of 3");
    EXPECT_EQ(refusal({{3, {5}}}), "no group has prompts of 7");
    EXPECT_EQ(refusal({{3, {5}}, {7, {4}}, {9, {4}}}), "no type has prompts of 9");
    EXPECT_EQ(refusal({{0, {5}}, {7, {4}}}), "a group of all prompts leaves none to the others");
    EXPECT_EQ(refusal({{3, {4}}, {7, {4}}}), "the last segment must end at the longest output, 5");
    EXPECT_EQ(refusal({{0, {2, 5}}}), "accepted");
}

} // namespace
} // namespace crx::fluid
