#include "analysis/laws/jaillet_instances.hh"

#include "kernels/cpu/single.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace crx {
namespace {

using Model = JailletInstances::Model;

/// How far the mean of n numbers of [0, 1] strays from its expectation with a chance of at most
/// 10^-9 (Hoeffding 1963, Theorem 2).
double stray(double n) { return std::sqrt(std::log(2e9) / (2 * n)); }

class JailletLaw : public testing::TestWithParam<Model>
{
};

TEST_P(JailletLaw, InstancesAreWithinTheirRanges)
{
    JailletInstances const source(GetParam());
    bool same_size = true;
    for (std::int64_t k = 0; k < 2000; ++k) {
        auto const x = generate_single(source, crx_test::test_seed(), k);
        ASSERT_TRUE(x.memory >= 30 && x.memory <= 50);
        ASSERT_GE(x.requests(), 1);
        same_size = same_size && x.requests() == 50;
        if (GetParam() == Model::all_at_once) {
            ASSERT_TRUE(x.requests() >= 40 && x.requests() <= 60);
            ASSERT_EQ(std::ranges::count(x.arrival, 0), x.requests());
        } else {
            ASSERT_TRUE(std::ranges::is_sorted(x.arrival));
            ASSERT_TRUE(x.arrival.front() >= 1 && x.arrival.back() <= 60);
        }
        for (std::size_t i = 0; i < x.output.size(); ++i) {
            ASSERT_TRUE(x.prompt[i] >= 1 && x.prompt[i] <= 5);
            ASSERT_TRUE(x.output[i] >= 1 && x.output[i] <= x.memory - x.prompt[i]);
            ASSERT_EQ(x.lower[i], x.output[i]);
            ASSERT_EQ(x.upper[i], x.output[i]);
        }
    }
    EXPECT_FALSE(same_size);
}

// Means of numbers in [0, 1] that are 1/2 by the law: (M - 30) / 20, (n - 40) / 20, (s - 1) / 4 and
// (o - 1/2) / (M - s). False alarm at most 4 x 10^-9 a model (s and o of different requests are
// independent given M). The fault planted, o uniform on 1 .. M - 5 whatever s, has a last mean of
// about 0.47 and is caught.
TEST_P(JailletLaw, LengthsAreUniform)
{
    JailletInstances const source(GetParam());
    constexpr std::int64_t instances = 4000;
    double memory = 0, count = 0, prompt = 0, output = 0, planted = 0, requests = 0;
    for (std::int64_t k = 0; k < instances; ++k) {
        auto const x = generate_single(source, crx_test::test_seed(), k);
        memory += static_cast<double>(x.memory - 30) / 20;
        count += static_cast<double>(x.requests() - 40) / 20;
        for (std::size_t i = 0; i < x.output.size(); ++i) {
            auto const range = static_cast<double>(x.memory - x.prompt[i]);
            auto const unit = (x.output[i] - 0.5) / range;
            prompt += (x.prompt[i] - 1) / 4.0;
            output += unit;
            planted += unit * static_cast<double>(x.memory - 5) / range;
        }
        requests += static_cast<double>(x.requests());
    }
    EXPECT_NEAR(memory / instances, 0.5, stray(instances));
    if (GetParam() == Model::all_at_once) {
        EXPECT_NEAR(count / instances, 0.5, stray(instances));
    }
    EXPECT_NEAR(prompt / requests, 0.5, stray(requests));
    EXPECT_NEAR(output / requests, 0.5, stray(requests));
    EXPECT_GT(std::abs(planted / requests - 0.5), stray(requests));
}

INSTANTIATE_TEST_SUITE_P(Models, JailletLaw, testing::Values(Model::all_at_once, Model::over_time));

// Model 2, shares of instances, each within stray(100,000) = 0.0104 of its chance but with a chance
// of 10^-9: rounds 1 and 2 without an arrival, E[exp(-2 lambda)] = (exp(-1) - exp(-3)) / 2; an
// arrival in round 60, (1/21) E[1 - exp(-lambda)]; and the mean of arrivals in rounds 1 .. 40 is
// 40, by numbers cut at 200, of which the cut takes less than 10^-9. Faults caught: one lambda = 1
// for all instances (exp(-2)) and T = 60 for all.
TEST(JailletArrivals, ArePoissonWithARandomRateAndHorizon)
{
    JailletInstances const source(Model::over_time);
    constexpr std::int64_t instances = 100'000;
    double none = 0, last = 0, early = 0;
    for (std::int64_t k = 0; k < instances; ++k) {
        auto const x = generate_single(source, crx_test::test_seed() + 1, k);
        none += x.arrival.front() > 2 ? 1 : 0;
        last += x.arrival.back() == 60 ? 1 : 0;
        auto const first_later = std::ranges::upper_bound(x.arrival, 40);
        early += std::min(200.0, static_cast<double>(first_later - x.arrival.begin())) / 200;
    }
    auto const tolerance = stray(instances);
    auto const share_none = (std::exp(-1.0) - std::exp(-3.0)) / 2;
    auto const share_last = (1 - (std::exp(-0.5) - std::exp(-1.5))) / 21;
    EXPECT_NEAR(none / instances, share_none, tolerance);
    EXPECT_NEAR(last / instances, share_last, tolerance);
    EXPECT_NEAR(early / instances, 0.2, tolerance);
    EXPECT_GT(std::abs(none / instances - std::exp(-2.0)), tolerance);
    EXPECT_GT(std::abs(last / instances - 21 * share_last), tolerance);
}

} // namespace
} // namespace crx
