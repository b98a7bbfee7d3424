#include "analysis/worst/resize.hh"
#include "kernels/policies/shortest_first.cuh"
#include "tests/support/exhaustive_optimum.hh"

#include <gtest/gtest.h>

namespace crx::worst {
namespace {

Objective mc_sf_over_opt()
{
    Objective objective;
    objective.numerator = policy_cost({ShortestFirst::kind, {}}, 0, 1, Measure::total_latency);
    return objective;
}

/// Outputs are the same, so MC-SF serves as listed.
OwnedInstance equal_outputs(Tokens memory, std::vector<std::int32_t> prompts,
                            std::int32_t output = 1)
{
    OwnedInstance instance;
    instance.memory = memory;
    instance.output.assign(prompts.size(), output);
    instance.lower = instance.upper = instance.output;
    instance.arrival.assign(prompts.size(), 0);
    instance.prompt = std::move(prompts);
    return instance;
}

Found found_of(Objective const& objective, OwnedInstance const& instance)
{
    auto const settled = objective.settle(instance).value();
    return {instance, settled.ratio.value(), settled};
}

TEST(Shrink, LosesWhatTheRatioDoesNotNeed)
{
    auto const objective = mc_sf_over_opt();
    InstanceClass const of{8, 40, 0, Restriction::none, Told::outputs};
    // One that fills memory, then one that does not: 3/2 over 3/2 .. the rest is ballast.
    auto const large = found_of(objective, equal_outputs(30, {27, 0, 0, 0, 0}, 3));
    auto const small = shrink(of, objective, large, 1);
    EXPECT_GE(small.value, large.value);
    EXPECT_LT(small.instance.memory, large.instance.memory);
    EXPECT_EQ(small.instance.output, std::vector<std::int32_t>(small.instance.output.size(), 1));
    EXPECT_TRUE(small.settled.proven());
    EXPECT_EQ(small.settled.denominator, crx_test::exhaustive_optimum(small.instance));
}

// No single step of the smallest instance keeps the share: asked by hand, with another optimum.
TEST(Shrink, EndsWhereNoRequestCanGo)
{
    auto const objective = mc_sf_over_opt();
    InstanceClass const of{7, 12, 0, Restriction::none, Told::outputs};
    WordStream words(4, 0, 0);
    int shrunk = 0;
    for (int k = 0; k < 12; ++k) {
        auto const large = found_of(objective, random_member(of, words));
        auto const share = k % 2 == 0 ? 1.0 : 0.9;
        auto const small = shrink(of, objective, large, share);
        ASSERT_TRUE(is_member(of, small.instance));
        EXPECT_GE(small.value, share * large.value);
        EXPECT_LE(small.instance.requests(), large.instance.requests());
        EXPECT_LE(small.instance.memory, large.instance.memory);
        shrunk += small.instance.requests() < large.instance.requests() ? 1 : 0;
        auto const n = small.instance.output.size();
        if (n > 5) continue; // the exhaustive search is slow
        for (std::size_t i = 0; i < n && n > 1; ++i) {
            auto less = small.instance;
            erase_request(less, i);
            auto const optimum = static_cast<double>(crx_test::exhaustive_optimum(less));
            EXPECT_LT(static_cast<double>(objective.numerator.sum(less).value()) / optimum,
                      share * large.value);
        }
    }
    EXPECT_GT(shrunk, 3);
}

TEST(Shrink, PutsRequestsInTheLeastOrder)
{
    auto const objective = mc_sf_over_opt();
    InstanceClass const of{8, 12, 0, Restriction::none, Told::outputs};
    auto const small =
        shrink(of, objective, found_of(objective, equal_outputs(6, {0, 5, 0, 5, 0, 0, 0, 0})), 0.9);
    // 30/11 less a tenth.
    EXPECT_GE(small.value, 0.9 * 30 / 11);
    for (std::size_t j = 1; j < small.instance.output.size(); ++j)
        for (std::size_t i = 0; i < j; ++i) {
            if (small.instance.prompt[i] <= small.instance.prompt[j]) continue;
            auto other = small.instance;
            swap_requests(other, i, j);
            EXPECT_LT(objective.settle(other)->ratio.value(), 0.9 * 30 / 11);
        }
}

TEST(Scaling, FamiliesAreWhatTheySay)
{
    auto instance = equal_outputs(6, {0, 5}, 1);
    instance.output[0] = instance.lower[0] = instance.upper[0] = 2;
    auto const lengths = member_of(Family::lengths, instance, 4);
    EXPECT_EQ(lengths.memory, 24);
    EXPECT_EQ(lengths.output, (std::vector<std::int32_t>{8, 4}));
    EXPECT_EQ(lengths.prompt, (std::vector<std::int32_t>{0, 20}));
    auto const crowd = member_of(Family::crowd, instance, 2);
    EXPECT_EQ(crowd.memory, 12);
    EXPECT_EQ(crowd.output, (std::vector<std::int32_t>{2, 2, 1, 1}));
    EXPECT_EQ(member_of(Family::queue, instance, 2).memory, 6);
    EXPECT_EQ(member_of(Family::queue, instance, 2).output, crowd.output);
}

TEST(Scaling, TrendsAreToldByTheLastStep)
{
    EXPECT_EQ(trend_of({1.5, 1.6, 1.7, 1.8}), Trend::grows);
    EXPECT_EQ(trend_of({1.5, 1.6, 1.7, 1.72}), Trend::settles);
    EXPECT_EQ(trend_of({1.5, 1.4, 1.35, 1.3}), Trend::falls);
    EXPECT_EQ(trend_of({1.5, 1.3, 1.15, 1.05}), Trend::vanishes);
    EXPECT_EQ(trend_of({1, 1, 1, 1}), Trend::settles);
}

// One that fills memory before one that is small: 3 / 3, (1 + 2 + 3 + 3 + ..) ..: by hand at k = 1.
TEST(Scaling, ReportsTheRatioItself)
{
    auto const reports = scale(mc_sf_over_opt(), equal_outputs(4, {3, 0, 0}), 5);
    ASSERT_EQ(reports.size(), 3u);
    for (auto const& report : reports) {
        ASSERT_EQ(report.values.size(), 4u);
        EXPECT_DOUBLE_EQ(report.values[0], 5.0 / 4); // 1 + 2 + 2 over 1 + 1 + 2
        EXPECT_TRUE(report.proven[0]);
    }
    // Alone among lengths, rounds change nothing where outputs are 1: s + o = M times k.
    EXPECT_GT(reports[0].values[3], 1.1);
    // k of each that fills half of what there is now, then 2 k small ones.
    EXPECT_EQ(reports[1].family, Family::crowd);
}

} // namespace
} // namespace crx::worst
