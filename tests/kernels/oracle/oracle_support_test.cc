// Tests of the helpers in tests/support that other tests rely on.
#include <algorithm>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/oracle.hh"
#include "support/random_instance.hh"
#include "support/schedule_check.hh"
#include "support/shrink.hh"
#include "support/test_seed.hh"

namespace {

using crx_test::Instance;
using oracle::Request;

// Three with s 0, o 2, M 4: two at a time.
TEST(ScheduleCheck, FindsOverflowEarlyStartsAndIdleRounds)
{
    std::vector<Request> const requests{{0, 0, 2, 2, 2}, {0, 0, 2, 2, 2}, {1, 0, 2, 2, 2}};
    auto const good = crx_test::check_schedule(requests, 4, {0, 0, 2});
    EXPECT_TRUE(good.valid());
    EXPECT_EQ(std::tuple(good.total_latency, good.makespan, good.peak_memory), std::tuple(7, 4, 4));
    EXPECT_EQ(crx_test::check_schedule(requests, 4, {0, 0, 1}).over, 2);
    EXPECT_EQ(crx_test::check_schedule(requests, 4, {2, 2, 0}).early, 2u);
    std::vector<std::size_t> const order{0, 1, 2};
    EXPECT_FALSE(crx_test::prefix_rule_breach(requests, 4, {0, 0, 2}, order));
    EXPECT_EQ(crx_test::prefix_rule_breach(requests, 4, {0, 0, 3}, order), 2u); // idle
    EXPECT_EQ(crx_test::prefix_rule_breach(requests, 4, {0, 2, 1}, order), 1u); // overtaken
}

TEST(RandomInstance, IsValidAndOfManyShapes)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int single = 0, many = 0, exact = 0, filled = 0, ample = 0, cancelling = 0;
    for (int i = 0; i < 2000; ++i) {
        Instance const x = crx_test::random_instance(rng);
        ASSERT_TRUE(crx_test::is_valid(x)) << crx_test::describe(x);
        auto any = [&](auto is) { return std::any_of(x.requests.begin(), x.requests.end(), is); };
        std::int64_t total = 0;
        for (Request const& r : x.requests) total += r.prompt + r.upper;
        single += x.requests.size() == 1;
        many += x.requests.size() >= 20;
        exact += !any([](Request const& r) { return r.lower != r.upper; });
        filled += any([&](Request const& r) { return r.prompt + r.output == x.memory; });
        ample += total <= x.memory;
        if (i < 500)
            cancelling +=
                oracle::simulate({"a-min", {}}, x.requests, x.memory, 1, 1).cancellations > 0;
    }
    for (int count : {single, many, exact, filled, ample, cancelling}) EXPECT_GT(count, 50);
}

template <class Disagrees>
Instance shrunk_random_instance(Disagrees disagrees)
{
    std::mt19937_64 rng(crx_test::test_seed());
    Instance x = crx_test::random_instance(rng);
    while (!disagrees(x)) x = crx_test::random_instance(rng);
    return crx_test::shrink(x, disagrees);
}

// A prompt of 2 and an output of 3, in one request (M 5) or in two: nothing else is left.
TEST(Shrink, LeavesOnlyWhatTheDisagreementNeeds)
{
    Instance const small = shrunk_random_instance([](Instance const& x) {
        auto any = [&](auto is) { return std::any_of(x.requests.begin(), x.requests.end(), is); };
        return any([](Request const& r) { return r.prompt >= 2; }) &&
               any([](Request const& r) { return r.output >= 3; });
    });
    SCOPED_TRACE(crx_test::describe(small));
    std::int64_t prompts = 0, outputs = 0;
    for (Request const& r : small.requests) {
        prompts += r.prompt;
        outputs += r.output;
        EXPECT_EQ(r.arrival, 0);
        EXPECT_EQ(r.lower, 1);
        EXPECT_EQ(r.upper, r.output);
    }
    EXPECT_EQ(prompts, 2);
    EXPECT_EQ(outputs, small.requests.size() == 1 ? 3 : 4);
    EXPECT_LE(small.requests.size(), 2u);
    EXPECT_EQ(small.memory, small.requests.size() == 1 ? 5 : 3);
    EXPECT_TRUE(small.levels.empty());
}

TEST(Shrink, LeavesNoSmallerDisagreementBetweenPolicies)
{
    auto worse = [](Instance const& x) {
        auto latency = [&](char const* id) {
            return oracle::simulate({id, {}}, x.requests, x.memory, 1, 1).total_latency;
        };
        return latency("mc-benchmark") > latency("mc-sf");
    };
    Instance const small = shrunk_random_instance(worse);
    SCOPED_TRACE(crx_test::describe(small));
    EXPECT_TRUE(crx_test::is_valid(small));
    EXPECT_TRUE(worse(small));
    EXPECT_LE(small.requests.size(), 4u);
    for (Instance const& step : crx_test::shrink_parts::smaller(small)) EXPECT_FALSE(worse(step));
}

} // namespace
