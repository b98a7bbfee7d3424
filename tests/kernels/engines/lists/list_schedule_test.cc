#include "kernels/cpu/single.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/engines/lists/list_schedule.hh"
#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "oracle/oracle.hh"
#include "support/owned_instance.hh"
#include "support/random_instance.hh"
#include "support/simd_levels.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace crx {
namespace {

constexpr PolicyKind list_policies[] = {ShortestFirst::kind, ShortestTotalFirst::kind,
                                        ArrivalOrder::kind, RandomOrder::kind};

char const* id_of(PolicyKind kind) { return policy_info(kind).id; }

Requests view(OwnedInstance& x)
{
    return {x.requests(),    x.memory,       x.arrival.data(), x.prompt.data(),
            x.output.data(), x.lower.data(), x.upper.data(),   x.clock};
}

struct Run
{
    Outcome outcome;
    std::vector<Rounds> start;
    bool operator==(Run const&) const = default;
};

/// The policy's order of the instance.
std::vector<RequestId> order_of(PolicySpec const& spec, Requests const& r)
{
    std::vector<RequestId> order(static_cast<std::size_t>(r.n));
    std::vector<RankedRequest> scratch(order.size());
    with_policy(spec, [&]<class P>(P const& policy) {
        WordStream words(7, stream_policy + static_cast<std::uint32_t>(P::kind), 3);
        make_order(policy, r, words, scratch.data(), order.data());
    });
    return order;
}

template <class Make>
Run run_with(OwnedInstance& x, Make make)
{
    std::vector<std::max_align_t> block(1000 + 10 * x.output.size());
    Arena arena(block.data(), block.size() * sizeof(std::max_align_t));
    Run run;
    run.start.resize(x.output.size());
    run.outcome = make(arena, run.start.data());
    run.outcome.first_token_latency = run.outcome.total_latency; // as execute_on_host says it
    for (auto const o : x.output) run.outcome.first_token_latency -= o - 1;
    return run;
}

template <class Number, Ends ends>
Run run_schedule(OwnedInstance& x, std::vector<RequestId> const& order)
{
    return run_with(x, [&](Arena& arena, Rounds* starts) {
        return ListSchedule<Number, ends>(arena, x.requests())
            .execute(view(x), order.data(), starts);
    });
}

/// What the request engine says, stepping from event to event.
Run run_engine(OwnedInstance& x, PolicySpec const& spec)
{
    auto const single = execute_single(spec, x, 7, 3);
    return {single.outcome, single.start};
}

/// What a sweep does with the instance.
Run run_host(OwnedInstance& x, PolicySpec const& spec)
{
    std::vector<std::byte> block(host_engine_bytes(spec, x.requests()));
    Run run;
    run.start.resize(x.output.size());
    ScheduleLog const log{run.start.data(), nullptr, nullptr, nullptr};
    run.outcome = with_policy(spec, [&](auto const& policy) {
        EXPECT_TRUE(is_list_schedule(policy, view(x)));
        return execute_on_host(policy, view(x), 7, 3, block.data(), block.size(), log);
    });
    return run;
}

/// Every way there is to make this instance's schedule gives the engine's integers, the number of
/// events among them.
void expect_all_alike(OwnedInstance& x)
{
    for (auto const kind : list_policies) {
        SCOPED_TRACE(id_of(kind));
        PolicySpec const spec{kind, {}};
        auto const expected = run_engine(x, spec);
        auto const order = order_of(spec, view(x));
        EXPECT_EQ((run_schedule<Rounds, Ends::any>(x, order)), expected);
        EXPECT_EQ(run_host(x, spec), expected);
        if (std::reduce(x.output.begin(), x.output.end(), x.memory) < INT32_MAX / 2) {
            EXPECT_EQ((run_schedule<std::int32_t, Ends::any>(x, order)), expected);
            for (auto const level : crx_test::simd_levels()) {
                auto* const narrow = kind == ShortestFirst::kind
                                         ? CRX_AT_LEVEL(level, schedule_list_ascending)
                                         : CRX_AT_LEVEL(level, schedule_list_narrow);
                EXPECT_EQ(run_with(x,
                                   [&](Arena& arena, Rounds* starts) {
                                       return narrow(view(x), order.data(), starts, arena);
                                   }),
                          expected);
            }
        }
        if (kind != ShortestFirst::kind) continue;
        EXPECT_EQ((run_schedule<Rounds, Ends::ascending>(x, order)), expected);
    }
}

OwnedInstance make(Tokens memory, std::vector<std::int32_t> prompt,
                   std::vector<std::int32_t> output)
{
    OwnedInstance x;
    x.memory = memory;
    x.resize(output.size());
    x.prompt = std::move(prompt);
    x.lower = x.upper = x.output = std::move(output);
    return x;
}

// 12,000 random instances, each by every way, beside the oracle that steps through all rounds.
TEST(ListScheduleAgainstOracle, EveryRequestStartsAlike)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int number = 0; number < 12000 && !testing::Test::HasFailure(); ++number) {
        auto given = crx_test::random_instance(rng);
        for (auto& r : given.requests) r.arrival = 0;
        SCOPED_TRACE(testing::Message() << "instance " << number << "\n"
                                        << crx_test::describe(given));
        auto x = crx_test::owned(given);
        expect_all_alike(x);
        for (auto const kind : list_policies) {
            auto const truth =
                oracle::simulate({id_of(kind), {}}, given.requests, given.memory, 7, 3);
            auto const run = run_host(x, {kind, {}});
            EXPECT_EQ(run.start, truth.start);
            EXPECT_EQ(run.outcome.total_latency, truth.total_latency);
            EXPECT_EQ(run.outcome.peak_memory, truth.peak_memory);
        }
    }
}

// One request, s = 0 and s > 0, memory just enough and far too much, on both sides of what 32-bit
// integers hold.
TEST(ListSchedule, OneRequest)
{
    for (Tokens const memory : {Tokens{9}, Tokens{10}, Tokens{65536}, Tokens{INT32_MAX} / 2,
                                Tokens{INT32_MAX} / 2 + 1, Tokens{1} << 40})
        for (std::int32_t const s : {0, 4}) {
            auto x = make(memory, {s}, {5});
            expect_all_alike(x);
        }
}

// The first requests end one after the other while all run.
TEST(ListSchedule, ManyDifferentEnds)
{
    for (int n = 6; n <= 11; ++n)
        for (Tokens memory = 2 * n; memory < 5 * n * n; memory += 3) {
            std::vector<std::int32_t> output(static_cast<std::size_t>(n) + 20, n);
            std::iota(output.begin(), output.begin() + n, 1);
            auto x = make(memory, std::vector<std::int32_t>(output.size(), 1), output);
            expect_all_alike(x);
        }
}

// Sums of outputs up to where 32 bits are left.
TEST(ListSchedule, SumsOfOutputsAtTheLimits)
{
    for (std::int32_t const rest : {-1, 0, 1}) {
        auto x = make(600, {3, 1, 0, 2}, {512, 512, 512, 512 + rest});
        for (int k = 0; k < 12; ++k) {
            x.prompt.push_back(k);
            x.output.push_back(512);
        }
        x.resize(x.output.size());
        x.lower = x.upper = x.output;
        expect_all_alike(x);
        auto long_ones = make(Tokens{1} << 29, {0, 5, 7}, {1, (1 << 28) + rest, 1 << 28});
        expect_all_alike(long_ones);
        auto longer = make(INT32_MAX, {0, 0}, {INT32_MAX, INT32_MAX + std::min(rest, 0)});
        auto const expected = run_engine(longer, {ShortestFirst::kind, {}});
        EXPECT_EQ(run_host(longer, {ShortestFirst::kind, {}}), expected);
    }
}

// Many requests that are all the same end together; the longest order starts them in groups.
TEST(ListSchedule, ManyEqualRequests)
{
    for (Tokens const memory : {12, 13, 100, 1199, 1200, 100000}) {
        auto x =
            make(memory, std::vector<std::int32_t>(3000, 2), std::vector<std::int32_t>(3000, 10));
        expect_all_alike(x);
    }
}

// A policy that plans with more than the output has to wait and see: it is not a list schedule, nor
// is anything with arrivals.
TEST(ListSchedule, IsTakenOnlyWhereItHolds)
{
    auto x = make(20, {1, 1}, {3, 5});
    EXPECT_TRUE(is_list_schedule(MaxLength{}, view(x)));
    EXPECT_FALSE(is_list_schedule(MinLength{}, view(x)));
    x.upper[1] = 6;
    EXPECT_FALSE(is_list_schedule(MaxLength{}, view(x)));
    EXPECT_TRUE(is_list_schedule(ShortestFirst{}, view(x)));
    x.arrival[0] = 1;
    EXPECT_FALSE(is_list_schedule(ShortestFirst{}, view(x)));
}

} // namespace
} // namespace crx
