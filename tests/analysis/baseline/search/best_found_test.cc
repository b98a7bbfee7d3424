#include "analysis/baseline/search/best_found.hh"

#include "analysis/laws/jaillet_instances.hh"
#include "kernels/base/parallel.hh"
#include "kernels/cpu/single.hh"
#include "kernels/policies/shortest_first.cuh"
#include "support/exhaustive_optimum.hh"
#include "support/schedule_check.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>

namespace crx::baseline {
namespace {

std::vector<oracle::Request> oracle_requests(OwnedInstance const& instance)
{
    std::vector<oracle::Request> requests(instance.output.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        requests[i].arrival = instance.arrival[i];
        requests[i].prompt = instance.prompt[i];
        requests[i].output = instance.output[i];
    }
    return requests;
}

/// Is it a schedule of that TEL, by code that the program does not share?
bool holds(OwnedInstance const& instance, FoundSchedule const& found)
{
    auto const facts = crx_test::check_schedule(oracle_requests(instance), instance.memory,
                                                {found.starts.begin(), found.starts.end()});
    return facts.valid() && facts.total_latency == found.total_latency;
}

OwnedInstance model_1(std::int64_t number)
{
    return generate_single(JailletInstances(JailletInstances::Model::all_at_once),
                           crx_test::test_seed(), number);
}

OwnedInstance model_2(std::int64_t number)
{
    return generate_single(JailletInstances(JailletInstances::Model::over_time),
                           crx_test::test_seed(), number);
}

Rounds mc_sf(OwnedInstance const& instance)
{
    return execute_single({ShortestFirst::kind, {}}, instance, 0, 0).outcome.total_latency;
}

TEST(BestFound, IsBelowMcSf)
{
    for (std::int64_t k = 0; k < 40; ++k) {
        auto const instance = k % 2 == 0 ? model_1(k) : model_2(k);
        auto const found = best_found(instance, {20'000, 1e9, 1});
        ASSERT_TRUE(found);
        ASSERT_TRUE(holds(instance, *found));
        EXPECT_LT(found->total_latency, mc_sf(instance)) << k;
        EXPECT_LE(best_found(instance, {2, 1e9, 1})->total_latency, mc_sf(instance));
        EXPECT_EQ(found->evaluations, 20'000);
    }
}

// Runs grow and then repeat: more schedules are better.
TEST(BestFound, MoreSchedulesAreBetter)
{
    int better = 0;
    for (std::int64_t k = 0; k < 6; ++k) {
        auto const instance = k % 2 == 0 ? model_1(k) : model_2(k);
        auto const little = best_found(instance, {2000, 1e9, 1}).value();
        auto const much = best_found(instance, {200'000, 1e9, 1}).value();
        better += much.total_latency < little.total_latency;
    }
    EXPECT_GE(better, 5);
}

// Nothing below the optimum, and the optimum itself nearly always.
TEST(BestFound, IsTheOptimumOfSmallInstancesButForFew)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int above = 0;
    for (int k = 0; k < 300; ++k) {
        OwnedInstance instance;
        instance.memory = 6 + static_cast<Tokens>(rng() % 6);
        for (int i = 0; i < 5; ++i) {
            instance.prompt.push_back(static_cast<std::int32_t>(rng() % 3));
            instance.output.push_back(1 + static_cast<std::int32_t>(rng() % 4));
            instance.arrival.push_back(k % 2 == 0 ? 0 : static_cast<Rounds>(rng() % 6));
        }
        instance.lower = instance.upper = instance.output;
        auto const optimum =
            crx_test::ExhaustiveOptimum(oracle_requests(instance), instance.memory).find();
        auto const found = best_found(instance, {20'000, 1e9, 1});
        ASSERT_TRUE(found && holds(instance, *found));
        ASSERT_GE(found->total_latency, optimum);
        above += found->total_latency > optimum;
    }
    EXPECT_LE(above, 1);
}

// The same on any number of threads at once, twice, and with a limit of time that is not reached.
TEST(BestFound, RepeatsExactly)
{
    constexpr std::int64_t count = 12;
    auto const of = [](std::int64_t k) { return k % 2 == 0 ? model_1(k) : model_2(k); };
    std::vector<FoundSchedule> alone, together(count);
    for (std::int64_t k = 0; k < count; ++k)
        alone.push_back(best_found(of(k), {3000, 1e9, 5}).value());
    crx::parallel_for(std::int64_t{0}, count, [&](std::int64_t k) {
        together[static_cast<std::size_t>(k)] = best_found(of(k), {3000, 1000.0, 5}).value();
    });
    int other_seed = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        auto const i = static_cast<std::size_t>(k);
        EXPECT_EQ(alone[i].starts, together[i].starts) << k;
        other_seed += best_found(of(k), {3000, 1e9, 6}).value().starts != alone[i].starts;
    }
    EXPECT_GT(other_seed, 6); // or equality would say little
}

// Hours of search end soon after someone asks or time is over, with a schedule.
TEST(BestFound, EndsWhenItIsAskedTo)
{
    auto const instance = model_1(3);
    auto const begin = std::chrono::steady_clock::now();
    auto const seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    auto const timed = best_found(instance, {std::int64_t{1} << 40, 0.2, 1});
    EXPECT_LT(seconds(), 5);
    EXPECT_TRUE(holds(instance, timed.value()));
    EXPECT_LT(timed->total_latency, mc_sf(instance));
    auto const stopped =
        best_found(instance, {std::int64_t{1} << 40, TimeLimit(1e9, [] { return true; }), 1});
    EXPECT_LT(seconds(), 10);
    EXPECT_TRUE(holds(instance, stopped.value()));
    EXPECT_LE(stopped->total_latency, mc_sf(instance));
}

// Up to 64 requests the search over orders, beyond them the local search; nothing where time is too
// long for both.
TEST(BestFound, TakesTheSearchThatCanTakeTheInstance)
{
    OwnedInstance instance;
    instance.memory = 40000;
    instance.prompt = {0, 0, 0};
    instance.output = {30000, 20000, 10000};
    instance.arrival = {0, 1, 0};
    instance.lower = instance.upper = instance.output;
    auto const orders = best_found(instance, {1000, 1e9, 1});
    ASSERT_TRUE(orders && holds(instance, *orders));
    instance.arrival[1] = 1 << 26;
    EXPECT_FALSE(best_found(instance, {1000, 1e9, 1}));
    auto many = model_2(0);
    while (many.requests() <= 64) {
        many.prompt.push_back(1);
        many.output.push_back(1 + static_cast<std::int32_t>(many.requests() % 7));
        many.arrival.push_back(3);
    }
    many.lower = many.upper = many.output;
    EXPECT_EQ(best_found(many, {1000, 1e9, 1})->starts, local_search(many, {1000, 1e9, 1}).starts);
}

// The check that stands between a search and a result tells a schedule from one that is moved.
TEST(BestFound, AMovedStartIsNoScheduleOrAnotherLatency)
{
    auto const instance = model_1(1);
    auto const found = best_found(instance, {2000, 1e9, 1}).value();
    ASSERT_TRUE(holds(instance, found));
    for (std::size_t i = 0; i < found.starts.size(); ++i) {
        auto moved = found;
        moved.starts[i] += found.starts[i] > 0 ? -1 : 1;
        EXPECT_FALSE(holds(instance, moved)) << i;
    }
}

TEST(GrowingRuns, ShareTheTotal)
{
    for (std::int64_t const total : {1, 2, 63, 64, 100, 12345, 1 << 20})
        for (std::int64_t const least : {1, 64, 5000}) {
            GrowingRuns const runs(total, least);
            std::int64_t sum = 0;
            for (int k = 0; k < runs.runs(); ++k) {
                EXPECT_GE(runs.length(k), std::min(total, least));
                EXPECT_TRUE(k == 0 || runs.length(k) >= sum - k);
                sum += runs.length(k);
            }
            EXPECT_LE(sum, total);
            EXPECT_GE(sum, total - runs.runs());
        }
    EXPECT_GT(GrowingRuns(INT64_MAX, 64).runs(), 50); // and ends
}

} // namespace
} // namespace crx::baseline
