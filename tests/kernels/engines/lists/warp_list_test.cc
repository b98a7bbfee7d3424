#include "kernels/engines/lists/warp_list.cuh"
#include "kernels/engines/requests/execute.cuh"
#include "support/execute_policy.hh"
#include "support/list_policies.hh"
#include "support/owned_instance.hh"
#include "support/random_instance.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>

namespace crx {
namespace {

constexpr std::uint64_t seed = 7;

struct WarpRun
{
    bool taken = false;
    Outcome outcome;
    std::vector<Rounds> start;
};

/// What the lanes say, in arrays no larger than they ask for.
template <class P>
WarpRun run_in_lanes(P const& policy, OwnedInstance& x, std::int64_t number)
{
    Arena counter(nullptr, 0);
    WarpOrder const counted(counter, x.requests());
    (void)counted;
    std::vector<std::max_align_t> block(counter.bytes_used() / sizeof(std::max_align_t) + 1);
    Arena arena(block.data(), counter.bytes_used());
    WarpRun run;
    run.start.resize(x.output.size());
    run.taken =
        execute_list_in_lanes(policy, requests_of(x), seed, static_cast<std::uint64_t>(number),
                              arena, run.start.data(), run.outcome);
    return run;
}

/// What the request engine says.
template <class P>
WarpRun run_by_requests(P const& policy, OwnedInstance& x, std::int64_t number)
{
    auto const bytes = EngineOf<P>::arena_bytes(x.requests());
    std::vector<std::max_align_t> block(bytes / sizeof(std::max_align_t) + 1);
    WarpRun run;
    run.start.resize(x.output.size());
    ScheduleLog const log{run.start.data(), nullptr, nullptr, nullptr};
    run.outcome = crx_test::execute_policy(
        policy, requests_of(x), seed, static_cast<std::uint64_t>(number), block.data(), bytes, log);
    return run;
}

/// How many policies there are that work off an order, and how many of them know the lengths.
int count_list_policies(bool knowing = false)
{
    int count = 0;
    crx_test::for_each_list_policy(
        [&]<class P>(P const&) { count += P::knows_lengths || !knowing; });
    return count;
}

/// Every policy in lanes beside the request engine, where it is taken; how many were.
int expect_alike(OwnedInstance& x, std::int64_t number)
{
    int taken = 0;
    crx_test::for_each_list_policy([&]<class P>(P const& policy) {
        SCOPED_TRACE(P::id);
        auto const run = run_in_lanes(policy, x, number);
        if (!run.taken) return;
        ++taken;
        auto const expected = run_by_requests(policy, x, number);
        EXPECT_EQ(run.outcome, expected.outcome);
        EXPECT_EQ(run.outcome.events, expected.outcome.events);
        EXPECT_EQ(run.start, expected.start);
    });
    return taken;
}

OwnedInstance make(std::mt19937_64& rng, std::size_t n, std::int32_t prompt, std::int32_t output,
                   Tokens memory)
{
    OwnedInstance x;
    x.memory = memory;
    x.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        x.prompt[i] = static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(prompt + 1));
        x.output[i] = static_cast<std::int32_t>(1 + rng() % static_cast<std::uint64_t>(output));
    }
    x.lower = x.upper = x.output;
    return x;
}

TEST(WarpList, SaysWhatTheRequestEngineSays)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int taken = 0;
    for (std::int64_t k = 0; k < 6000 && !testing::Test::HasFailure(); ++k) {
        auto given = crx_test::random_instance(rng);
        for (auto& r : given.requests) r.arrival = 0;
        SCOPED_TRACE(testing::Message() << "instance " << k << "\n" << crx_test::describe(given));
        auto x = crx_test::owned(given);
        auto const exact = x.upper == x.output;
        auto const here = expect_alike(x, k);
        EXPECT_EQ(here, count_list_policies(!exact));
        taken += exact;
    }
    EXPECT_GT(taken, 600);
}

// Hundreds of requests: several digits are sorted, several vectors of ends are in use, and some
// instances have more ends than lanes.
TEST(WarpList, LargerInstancesAreServedAsByTheRequestEngine)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int taken = 0, refused = 0;
    for (std::int64_t k = 0; k < 300 && !testing::Test::HasFailure(); ++k) {
        auto const prompt = static_cast<std::int32_t>(rng() % 100);
        auto const output = static_cast<std::int32_t>(1 + rng() % (k % 3 == 0 ? 4000 : 300));
        auto const memory = prompt + output + static_cast<Tokens>(rng() % 30000);
        auto x = make(rng, 1 + rng() % 700, prompt, output, memory);
        SCOPED_TRACE(testing::Message() << "instance " << k);
        auto const here = expect_alike(x, k);
        taken += here;
        refused += count_list_policies() - here;
    }
    EXPECT_GT(taken, 1000);
    EXPECT_GT(refused, 20);
}

TEST(WarpList, TakesUpTo128EndsAtATime)
{
    for (std::int32_t const n : {1, 32, 33, 127, 128, 129}) {
        OwnedInstance x;
        x.memory = 1000000;
        x.resize(static_cast<std::size_t>(n));
        for (std::int32_t i = 0; i < n; ++i) x.output[static_cast<std::size_t>(i)] = 2 * n - i;
        x.lower = x.upper = x.output;
        EXPECT_EQ(expect_alike(x, 0), n <= 128 ? count_list_policies() : 0) << n;
        if (n <= 128) continue;
        x.output[5] = x.lower[5] = x.upper[5] = x.output[6]; // two end together
        EXPECT_EQ(expect_alike(x, 0), count_list_policies());
    }
}

TEST(WarpList, TakesNothingPastItsLimits)
{
    std::mt19937_64 rng(1);
    auto x = make(rng, 3, 5, 5, 20);
    EXPECT_EQ(expect_alike(x, 0), count_list_policies());
    auto later = x, timed = x, large = x;
    later.arrival[1] = 1;
    EXPECT_EQ(expect_alike(later, 0), 0);
    timed.clock = {ClockKind::affine, 1000, 0, 0, 0};
    EXPECT_EQ(expect_alike(timed, 0), 0);
    large.memory = INT32_MAX / 2 - 3 * *std::ranges::max_element(large.output);
    EXPECT_EQ(expect_alike(large, 0), count_list_policies());
    ++large.memory;
    EXPECT_EQ(expect_alike(large, 0), 0);
    large.memory = Tokens{1} << 40;
    EXPECT_EQ(expect_alike(large, 0), 0);
    OwnedInstance none;
    none.memory = 1;
    EXPECT_EQ(expect_alike(none, 0), count_list_policies());
}

} // namespace
} // namespace crx
