#include "kernels/cpu/single.hh"
#include "kernels/engines/a_min/one_instance_engine.cuh"
#include "kernels/policies/registry.cuh"
#include "support/equal_runs.hh"
#include "support/learnt_requests.hh"
#include "support/logged_run.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace crx {
namespace {

using crx_test::expect_equal;

struct Case
{
    PolicyKind kind;
    Outlived outlived;
};
constexpr Case cases[] = {{MinLength::kind, Outlived::counted},
                          {MinLengthEvict::kind, Outlived::weightless}};

constexpr std::uint64_t warp_seed = 7;

constexpr auto any_events = std::numeric_limits<std::int64_t>::max();

/// What a warp says, in arrays no larger than it asks for, if it takes the instance.
std::optional<SingleRun> run_in_lanes(Case const& c, OwnedInstance x, std::int64_t number,
                                      std::int64_t most_events = any_events)
{
    return crx_test::logged_run(x.output.size(), WaitingQueueByLength::arena_bytes(x.requests()),
                                [&](auto const& log, Arena& arena) {
                                    return execute_a_min_small_by_warp(
                                        c.outlived, requests_of(x), warp_seed,
                                        stream_policy + static_cast<std::uint32_t>(c.kind),
                                        static_cast<std::uint64_t>(number), log, arena,
                                        most_events);
                                });
}

// Instances of up to 40 requests with awkward shapes beside the request engine.
TEST(WarpFew, SaysWhatTheRequestEngineSays)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::int64_t k = 0; k < 3000 && !testing::Test::HasFailure(); ++k) {
        auto given = crx_test::random_instance(rng);
        for (auto& r : given.requests) r.arrival = 0;
        SCOPED_TRACE(testing::Message() << "instance " << k << "\n" << crx_test::describe(given));
        auto const x = crx_test::owned(given);
        for (auto const& c : cases) {
            auto const few = run_in_lanes(c, x, k);
            ASSERT_TRUE(few);
            expect_equal(*few, execute_single({c.kind, {}}, x, warp_seed, k));
        }
    }
}

// Hundreds of requests: many classes wait, two vectors of requests run. Some instances have more
// than 64 at a time.
TEST(WarpFew, LargerInstancesAreServedAsByTheRequestEngine)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int taken = 0, refused = 0;
    std::int64_t cancellations = 0;
    for (std::int64_t k = 0; k < 150 && !testing::Test::HasFailure(); ++k) {
        auto const prompt = static_cast<std::int32_t>(rng() % 200);
        auto const output = static_cast<std::int32_t>(1 + rng() % 400);
        auto const memory = prompt + output + static_cast<Tokens>(rng() % 6000);
        auto const x = crx_test::learnt_requests(rng, 1 + rng() % 500, prompt, output, memory);
        SCOPED_TRACE(testing::Message() << "instance " << k);
        for (auto const& c : cases) {
            auto const few = run_in_lanes(c, x, k);
            refused += !few;
            if (!few) continue;
            ++taken;
            cancellations += few->outcome.cancellations;
            expect_equal(*few, execute_single({c.kind, {}}, x, warp_seed, k));
        }
    }
    EXPECT_GT(taken, 75);
    EXPECT_GT(refused, 5);
    EXPECT_GT(cancellations, 3000);
}

// The largest instances that are taken, in one class and in many.
TEST(WarpFew, TakesAsManyAsThereAreIndices)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    for (int k = 0; k < 2; ++k) {
        auto const x = k == 0 ? crx_test::learnt_requests(rng, a_min_small_requests, 0, 30, 40)
                              : crx_test::learnt_requests(rng, a_min_small_requests, 100, 100, 220);
        for (auto const& c : cases) {
            auto const few = run_in_lanes(c, x, k);
            ASSERT_TRUE(few);
            expect_equal(*few, execute_single({c.kind, {}}, x, warp_seed, k));
        }
    }
    auto const more = crx_test::learnt_requests(rng, a_min_small_requests + 1, 0, 3, 20);
    EXPECT_FALSE(run_in_lanes(cases[0], more, 0));
}

// A launch on a GPU shall end soon: what has more events is left to the request engine.
TEST(WarpFew, TakesAsManyEventsAsItIsAllowed)
{
    std::mt19937_64 rng(crx_test::test_seed() + 3);
    auto const x = crx_test::learnt_requests(rng, 40, 5, 20, 60);
    for (auto const& c : cases) {
        auto const events = run_in_lanes(c, x, 0).value().outcome.events;
        EXPECT_TRUE(run_in_lanes(c, x, 0, events + 1));
        EXPECT_FALSE(run_in_lanes(c, x, 0, events / 2));
    }
}

TEST(WarpFew, TakesUpTo64AtATime)
{
    OwnedInstance x;
    x.memory = 1000;
    for (int const n : {1, 31, 32, 33, 64, 65}) {
        x.resize(static_cast<std::size_t>(n));
        std::ranges::fill(x.output, 3);
        std::ranges::fill(x.lower, 2);
        std::ranges::fill(x.upper, 4);
        for (auto const& c : cases) {
            auto const few = run_in_lanes(c, x, 0);
            EXPECT_EQ(few.has_value(), n <= 64) << n;
            if (few) expect_equal(*few, execute_single({c.kind, {}}, x, warp_seed, 0));
        }
    }
}

TEST(WarpFew, TakesNothingPastItsLimits)
{
    std::mt19937_64 rng(1);
    auto const x = crx_test::learnt_requests(rng, 3, 5, 5, 20);
    EXPECT_TRUE(run_in_lanes(cases[0], x, 0));
    auto later = x, large = x, timed = x;
    later.arrival[1] = 1;
    EXPECT_FALSE(run_in_lanes(cases[0], later, 0));
    timed.clock = {ClockKind::affine, 1000, 0, 0, 0};
    EXPECT_FALSE(run_in_lanes(cases[0], timed, 0));
    large.memory = a_min_small_memory + 1;
    EXPECT_FALSE(run_in_lanes(cases[0], large, 0));
    for (bool const longer : {false, true}) { // prompts and outputs at the last that 32 bits hold
        large.memory = a_min_small_memory;
        large.prompt[1] = (1 << 20) - !longer;
        EXPECT_NE(run_in_lanes(cases[0], large, 0).has_value(), longer);
        auto distant = x;
        distant.memory = a_min_small_memory;
        distant.output[2] = distant.lower[2] = distant.upper[2] = (1 << 23) - !longer;
        auto const few = run_in_lanes(cases[0], distant, 0);
        EXPECT_NE(few.has_value(), longer);
        if (few) expect_equal(*few, execute_single({cases[0].kind, {}}, distant, warp_seed, 0));
    }
    auto distant = x; // three one after the other: past round 2^24
    distant.memory = (1 << 23) - 1;
    std::ranges::fill(distant.prompt, 0);
    std::ranges::fill(distant.output, (1 << 23) - 1);
    std::ranges::fill(distant.lower, (1 << 23) - 1);
    EXPECT_FALSE(run_in_lanes(cases[0], distant, 0));
}

} // namespace
} // namespace crx
