#include "kernels/cpu/single.hh"
#include "kernels/policies/threshold.cuh"
#include "kernels/random/word_stream.cuh"
#include "oracle/oracle.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

OwnedInstance equal_requests(Tokens memory, std::vector<Instant> arrival, std::int32_t s,
                             std::int32_t o)
{
    OwnedInstance instance;
    instance.memory = memory;
    instance.arrival = std::move(arrival);
    instance.prompt.assign(instance.arrival.size(), s);
    instance.output.assign(instance.arrival.size(), o);
    instance.lower = instance.upper = instance.output;
    return instance;
}

PolicySpec protect(std::int64_t numerator, std::int64_t denominator)
{
    PolicySpec spec{Protect::kind};
    spec.alpha = {numerator, denominator};
    return spec;
}

// M = 10, two requests of s = 1, o = 6: the second is admitted at once, at time t they hold 2 + 2
// t, and at t = 4 they hold 10 and may not go on. All are cancelled; for ever so.
TEST(Protect, CyclesForEverByHand)
{
    auto const run = execute_single(protect(0, 1), equal_requests(10, {0, 0}, 1, 6), 1, 0).outcome;
    EXPECT_EQ(run.finished, 0);
    EXPECT_EQ(run.reason, Unfinished::cycle);
    EXPECT_EQ(run.cancellations, 4);
}

// With alpha = 1/2 admission may fill 5: the first holds 2 + t at time t + 1, so the second waits
// while 2 + t + 2 > 5; at t = 0 both fit (4), which is the same cycle. With alpha = 3/4 admission
// may fill 2: one at a time, 6 rounds each, 6 + 12.
TEST(Protect, EnoughProtectionEndsByHand)
{
    auto const both = execute_single(protect(1, 2), equal_requests(10, {0, 0}, 1, 6), 1, 0).outcome;
    EXPECT_EQ(both.reason, Unfinished::cycle);
    auto const one = execute_single(protect(3, 4), equal_requests(10, {0, 0}, 1, 6), 1, 0).outcome;
    EXPECT_EQ(one.finished, 1);
    EXPECT_EQ(one.total_latency, 18);
    EXPECT_EQ(one.first_token_latency, 1 + 7);
}

// floor((1 - 0.9) x 10) is 1, whatever a double makes of 1 - 0.9: s = 0 can be admitted.
TEST(Protect, TheThresholdIsThatOfTheDecimal)
{
    auto const run = execute_single(protect(9, 10), equal_requests(10, {0}, 0, 3), 1, 0).outcome;
    EXPECT_EQ(run.finished, 1);
    auto const blocked =
        execute_single(protect(9, 10), equal_requests(10, {0}, 1, 3), 1, 0).outcome;
    EXPECT_EQ(blocked.reason, Unfinished::blocked);
}

// Two requests cycle until a third comes, and then again for ever; the cycles before it are passed
// at once and counted as the oracle counts them, wherever in a cycle it comes.
TEST(Protect, CyclesBeforeAnArrivalAreCounted)
{
    for (Instant const gap : {1, 2, 3, 4, 5, 39, 40, 41, 42, 4000, 4003}) {
        auto instance = equal_requests(10, {0, 0, gap}, 1, 6);
        // The third is short and goes first by its arrival being that of the others' cycle.
        instance.output[2] = instance.lower[2] = instance.upper[2] = 1;
        auto const run = execute_single(protect(0, 1), instance, 1, 0).outcome;
        auto const truth =
            oracle::simulate({"protect"}, {{0, 1, 6}, {0, 1, 6}, {gap, 1, 1}}, 10, 1, 0);
        EXPECT_EQ(run.finished != 0, truth.finished);
        EXPECT_EQ(run.cancellations, truth.cancellations) << gap;
        EXPECT_EQ(run.wasted_tokens, truth.wasted_tokens) << gap;
    }
    auto const far =
        execute_single(protect(0, 1), equal_requests(10, {0, 0, 1'000'000'000'000}, 1, 6), 1, 0);
    EXPECT_EQ(far.outcome.reason, Unfinished::cycle);
    EXPECT_GT(far.outcome.cancellations, 400'000'000'000);
}

TEST(Clear, GivesUpAtItsCap)
{
    PolicySpec spec{Clear::kind};
    spec.beta = {0, 1}; // nobody is ever cancelled
    auto const instance = equal_requests(10, {0, 0}, 1, 6);
    auto const usual = execute_single(spec, instance, 1, 0).outcome;
    EXPECT_EQ(usual.reason, Unfinished::round_cap);
    EXPECT_EQ(usual.events, 100 - 4 + 2); // 10 M rounds, the first four in one stretch
    spec.round_cap = 100'000;
    EXPECT_EQ(execute_single(spec, instance, 1, 0).outcome.reason, Unfinished::round_cap);
}

/// Whether engine and oracle agree on every request of a run.
testing::AssertionResult agree(PolicySpec const& spec, oracle::Policy const& policy,
                               std::vector<oracle::Request> const& requests, Tokens memory,
                               std::uint64_t seed, std::int64_t number)
{
    OwnedInstance instance;
    instance.memory = memory;
    for (auto const& r : requests) {
        instance.arrival.push_back(r.arrival);
        instance.prompt.push_back(static_cast<std::int32_t>(r.prompt));
        instance.output.push_back(static_cast<std::int32_t>(r.output));
    }
    instance.lower = instance.upper = instance.output;
    auto const run = execute_single(spec, instance, seed, number);
    auto const truth =
        oracle::simulate(policy, requests, memory, seed, static_cast<std::uint64_t>(number));
    auto const& o = run.outcome;
    if ((o.finished != 0) != truth.finished)
        return testing::AssertionFailure() << "finished: engine " << o.finished;
    if (o.cancellations != truth.cancellations || o.wasted_tokens != truth.wasted_tokens)
        return testing::AssertionFailure()
               << "cancellations: engine " << o.cancellations << ", oracle " << truth.cancellations;
    if (!truth.finished) return testing::AssertionSuccess();
    bool const same = run.start == truth.start && run.completion == truth.completion &&
                      o.total_latency == truth.total_latency &&
                      o.first_token_latency == truth.first_token_latency &&
                      o.peak_memory == truth.peak_memory &&
                      std::ranges::equal(run.cancellations, truth.cancelled);
    return same ? testing::AssertionSuccess() : testing::AssertionFailure() << "schedules differ";
}

// Where memory is too full for long: hundreds of requests, so that ranks fill several words, little
// protection, and many cancellations to a completion; with and without arrivals over time.
TEST(Clear, ManyCancellationsAsTheOracle)
{
    auto const seed = crx_test::test_seed();
    std::mt19937_64 rng(seed);
    std::int64_t cancellations = 0, unfinished = 0;
    for (std::int64_t number = 0; number < 40; ++number) {
        auto const n = 70 + rng() % 130;
        auto const longest = 5 + rng() % 20;
        auto const spread = number % 3 == 0 ? std::uint64_t{1} : 1 + rng() % 500;
        std::vector<oracle::Request> requests;
        for (std::size_t i = 0; i < n; ++i) {
            requests.push_back({static_cast<std::int64_t>(rng() % spread),
                                static_cast<std::int64_t>(rng() % 4),
                                static_cast<std::int64_t>(1 + rng() % longest)});
        }
        for (auto& r : requests) r.lower = r.upper = r.output;
        auto const memory = static_cast<Tokens>(longest + 10 + rng() % 300);
        PolicySpec spec{Clear::kind};
        spec.alpha = {static_cast<std::int64_t>(rng() % 10), 100};
        spec.beta = {1 + static_cast<std::int64_t>(rng() % 9), 10};
        spec.round_cap = 200;
        oracle::Policy const policy{"clear",
                                    {},
                                    {spec.alpha.numerator, spec.alpha.denominator},
                                    {spec.beta.numerator, spec.beta.denominator},
                                    spec.round_cap};
        ASSERT_TRUE(agree(spec, policy, requests, memory, seed, number)) << "instance " << number;
        auto const truth =
            oracle::simulate(policy, requests, memory, seed, static_cast<std::uint64_t>(number));
        cancellations += truth.cancellations;
        unfinished += truth.finished ? 0 : 1;
    }
    EXPECT_GT(cancellations, 10'000);
    EXPECT_LT(unfinished, 35);
}

constexpr int draws = 1 << 20;

/// Distance of the frequency of a cancellation, and of two in a row, from beta and beta^2.
double worst_error(Clear const& policy, double beta, std::uint64_t seed)
{
    WordStream words(seed, stream_policy + static_cast<std::uint32_t>(Clear::kind), 0);
    double cancelled = 0, both = 0;
    for (int k = 0; k < draws; ++k) {
        bool const one = policy.cancels_this(words), other = policy.cancels_this(words);
        cancelled += one ? 1.0 / draws : 0;
        both += one && other ? 1.0 / draws : 0;
    }
    return std::max(std::abs(cancelled - beta), std::abs(both - beta * beta));
}

// H0: each active request is cancelled with probability beta, whatever happens to the next. False
// alarm <= 1e-9 for any seed (Hoeffding, two frequencies, three values of beta). A probability
// that is 0.007 off is missed with probability below 1e-9; the planted fault, 0.01 more, is
// caught. What a run makes of the draws is exact against the oracle
// (RequestEngineAgainstOracle, clear).
TEST(Clear, CancelsWithItsProbability)
{
    auto const seed = crx_test::test_seed();
    SCOPED_TRACE("rerun: CRX_TEST_SEED=" + std::to_string(seed));
    double const tolerance = std::sqrt(std::log(2 * 6 / 1e-9) / (2.0 * draws));
    for (std::int64_t const percent : {5, 20, 50}) {
        Clear policy;
        policy.beta = {percent, 100};
        double const beta = static_cast<double>(percent) / 100;
        EXPECT_LT(worst_error(policy, beta, seed), tolerance);
        policy.beta.numerator += 1;
        EXPECT_GT(worst_error(policy, beta, seed), tolerance);
    }
}

} // namespace
} // namespace crx
