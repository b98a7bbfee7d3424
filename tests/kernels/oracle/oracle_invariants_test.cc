// What must hold on every instance, checked by code that is not the oracle's.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/oracle.hh"
#include "oracle/stay.hh"
#include "oracle/words.hh"
#include "support/random_instance.hh"
#include "support/schedule_check.hh"
#include "support/test_seed.hh"

namespace {

using crx_test::Instance;
using oracle::Request;
using oracle::Schedule;
using oracle::Stay;

constexpr int instances = 1000;

template <class Check>
void for_random_instances(Check check)
{
    std::uint64_t const seed = crx_test::test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    std::mt19937_64 rng(seed);
    for (int i = 0; i < instances && !testing::Test::HasFailure(); ++i) {
        Instance const x = crx_test::random_instance(rng);
        SCOPED_TRACE(testing::Message() << "instance " << i << "\n" << crx_test::describe(x));
        check(x, seed, static_cast<std::uint64_t>(i));
    }
}

oracle::Policy policy(char const* id, Instance const& x)
{
    oracle::Policy p{id, {}};
    if (p.id == "a-ladder") p.levels = x.levels;
    return p;
}

std::int64_t total_output(Instance const& x)
{
    std::int64_t sum = 0;
    for (Request const& r : x.requests) sum += r.output;
    return sum;
}

TEST(OracleInvariants, SchedulesThatNeverCancelFollowFromTheirStarts)
{
    for_random_instances([](Instance const& x, std::uint64_t seed, std::uint64_t i) {
        for (char const* id : {"mc-sf", "mc-sf-total", "mc-benchmark", "a-random", "a-max"}) {
            SCOPED_TRACE(id);
            Schedule const s = oracle::simulate(policy(id, x), x.requests, x.memory, seed, i);
            auto const facts = crx_test::check_schedule(x.requests, x.memory, s.start);
            EXPECT_TRUE(facts.valid());
            EXPECT_EQ(s.total_latency, facts.total_latency);
            EXPECT_EQ(s.makespan, facts.makespan);
            EXPECT_EQ(s.peak_memory, facts.peak_memory);
            EXPECT_GE(s.total_latency, total_output(x));
            EXPECT_EQ(s.cancellations, 0);
        }
    });
}

std::vector<std::size_t> sorted_by(std::vector<Request> const& requests,
                                   std::int64_t (*key)(Request const&))
{
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return key(requests[a]) < key(requests[b]);
    });
    return order;
}

TEST(OracleInvariants, KnownLengthPoliciesObeyThePrefixRule)
{
    for_random_instances([](Instance const& x, std::uint64_t seed, std::uint64_t i) {
        auto breach = [&](char const* id, std::vector<std::size_t> const& order) {
            auto const s = oracle::simulate(policy(id, x), x.requests, x.memory, seed, i);
            return crx_test::prefix_rule_breach(x.requests, x.memory, s.start, order);
        };
        auto by = [&](std::int64_t (*key)(Request const&)) { return sorted_by(x.requests, key); };
        EXPECT_FALSE(breach("mc-sf", by([](Request const& r) { return r.output; })));
        EXPECT_FALSE(
            breach("mc-sf-total", by([](Request const& r) { return r.prompt + r.output; })));
        EXPECT_FALSE(breach("mc-benchmark", by([](Request const& r) { return r.arrival; })));
        oracle::WordStream words(seed, i, 16 + 3);
        EXPECT_FALSE(breach("a-random", words.permutation(x.requests.size())));
    });
}

/// Checks tallies and memory against the stays alone.
void check_stays(Instance const& x, Schedule const& s, std::vector<Stay> const& log)
{
    std::size_t const n = x.requests.size();
    std::vector<std::int64_t> held(static_cast<std::size_t>(s.makespan) + 1);
    std::vector<std::int64_t> free_from(n), completed(n), cancelled(n);
    std::int64_t wasted = 0;
    for (Stay const& stay : log) {
        Request const& r = x.requests[stay.request];
        EXPECT_GE(stay.start, std::max(r.arrival, free_from[stay.request]));
        free_from[stay.request] = stay.end;
        for (std::int64_t j = 1; stay.start + j <= stay.end; ++j)
            held.at(static_cast<std::size_t>(stay.start + j)) += r.prompt + j;
        if (stay.completed) {
            ++completed[stay.request];
            EXPECT_EQ(stay.end - stay.start, r.output);
            EXPECT_EQ(stay.start, s.start[stay.request]);
            EXPECT_EQ(stay.end, s.completion[stay.request]);
        } else {
            ++cancelled[stay.request];
            EXPECT_LT(stay.end - stay.start, r.output);
            wasted += stay.end - stay.start;
        }
    }
    EXPECT_EQ(completed, std::vector<std::int64_t>(n, 1));
    EXPECT_EQ(cancelled, s.cancelled);
    EXPECT_EQ(std::accumulate(cancelled.begin(), cancelled.end(), std::int64_t{0}),
              s.cancellations);
    EXPECT_EQ(wasted, s.wasted_tokens);
    EXPECT_EQ(*std::max_element(held.begin(), held.end()), s.peak_memory);
    EXPECT_LE(s.peak_memory, x.memory);
}

TEST(OracleInvariants, CancellingPoliciesStayWithinMemoryAndComplete)
{
    for_random_instances([](Instance const& x, std::uint64_t seed, std::uint64_t i) {
        for (char const* id : {"a-min", "a-min-evict", "a-ell", "a-ladder"}) {
            SCOPED_TRACE(id);
            std::vector<Stay> log;
            Schedule const s =
                oracle::simulate_logged(policy(id, x), x.requests, x.memory, seed, i, log);
            check_stays(x, s, log);
            EXPECT_GE(s.total_latency, total_output(x));
        }
    });
}

/// Tokens lost by a request alone: the sum of the levels below its output, from the first at l.
std::int64_t climbed(Request const& r, std::vector<std::int64_t> const& levels)
{
    std::int64_t lost = 0;
    for (std::int64_t level : levels)
        if (level >= r.lower && level < r.output) lost += level;
    return lost;
}

TEST(OracleInvariants, WithMemoryForAllNobodyWaits)
{
    for_random_instances([](Instance x, std::uint64_t seed, std::uint64_t i) {
        std::int64_t least = total_output(x), ell = least, ladder = least;
        for (Request const& r : x.requests) {
            x.memory += r.prompt + r.upper;
            ell += r.output > r.lower ? r.lower : 0;
            ladder += climbed(r, x.levels);
        }
        auto latency = [&](char const* id) {
            return oracle::simulate(policy(id, x), x.requests, x.memory, seed, i).total_latency;
        };
        for (char const* id :
             {"mc-sf", "mc-sf-total", "mc-benchmark", "a-random", "a-max", "a-min", "a-min-evict"})
            EXPECT_EQ(latency(id), least) << id;
        EXPECT_EQ(latency("a-ell"), ell);
        EXPECT_EQ(latency("a-ladder"), ladder);
    });
}

} // namespace
