#include "analysis/sorted_f/sorted_f.hh"
#include "kernels/cpu/policy_run.hh"
#include "kernels/engines/cell.hh"
#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "oracle/sorted_f.hh"
#include "support/random_instance.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx::sorted_f {
namespace {

crx_test::Instance instance_at_0(std::mt19937_64& rng, std::size_t most)
{
    auto instance = crx_test::random_instance(rng);
    if (instance.requests.size() > most) instance.requests.resize(most);
    for (auto& r : instance.requests) r.arrival = 0;
    return instance;
}

OwnedInstance owned_together(crx_test::Instance const& instance)
{
    OwnedInstance out;
    out.memory = instance.memory;
    for (auto const& r : instance.requests) {
        out.arrival.push_back(0);
        out.prompt.push_back(static_cast<std::int32_t>(r.prompt));
        out.output.push_back(static_cast<std::int32_t>(r.output));
    }
    out.lower = out.upper = out.output;
    return out;
}

/// Batches and every start and completion.
void expect_equal(crx_test::Instance const& instance, Selector selector, std::int64_t cells,
                  std::uint64_t number)
{
    oracle::SortedF const policy{std::string(selector_names[static_cast<std::size_t>(selector)]),
                                 cells};
    Settings const settings{selector, cells, 11, number};
    SCOPED_TRACE(policy.selector + "\n" + crx_test::describe(instance));
    auto const made = batches(owned_together(instance), settings);
    ASSERT_TRUE(made);
    ASSERT_EQ(*made,
              oracle::sorted_f_batches(policy, instance.requests, instance.memory, 11, number));
    auto const truth =
        oracle::simulate_sorted_f(policy, instance.requests, instance.memory, 11, number);
    auto const run = execute(owned_together(instance), settings);
    ASSERT_TRUE(run);
    ASSERT_EQ(run->outcome.total_latency, truth.total_latency);
    ASSERT_EQ(run->outcome.makespan, truth.makespan);
    ASSERT_EQ(run->outcome.peak_memory, truth.peak_memory);
    ASSERT_EQ(run->outcome.first_token_latency, truth.first_token_latency);
    ASSERT_EQ(run->start, truth.start);
    ASSERT_EQ(run->completion, truth.completion);
}

// As WANG Example 1, smaller. M = 10: (9, 1) fills it alone, three of (1, 2) fit together, F = 6/9
// against
// 1. So they go first, done at 2, and it at 3: 9. By output it goes first, done at 1, they at
// 3: 10.
TEST(OracleSortedF, ByHand)
{
    std::vector<oracle::Request> const requests{
        {0, 9, 1, 1, 1}, {0, 1, 2, 2, 2}, {0, 1, 2, 2, 2}, {0, 1, 2, 2, 2}};
    for (char const* selector : {"exact", "scaled", "swap"}) {
        oracle::SortedF const policy{selector, 10};
        EXPECT_EQ(oracle::sorted_f_batches(policy, requests, 10, 0, 0),
                  (std::vector<std::vector<std::size_t>>{{1, 2, 3}, {0}}));
        EXPECT_EQ(oracle::simulate_sorted_f(policy, requests, 10, 0, 0).total_latency, 9);
    }
    EXPECT_EQ(oracle::simulate({"mc-sf"}, requests, 10, 0, 0).total_latency, 10);
    // In two cells of 5 the sizes are 2, 0, 0, 0: all four stand in a state, F = 7/16, but hold 19.
    EXPECT_EQ(oracle::sorted_f_batches({"scaled", 2}, requests, 10, 0, 0).front(),
              (std::vector<std::size_t>{1, 2, 3}));
}

// (0, 1), (0, 2) and (1, 3) have sizes that add up to 7. Started together they hold 4, 5 and 4
// tokens as they complete: a batch where M = 6, of F = 6/9, and none where M = 4.
TEST(OracleSortedF, TogetherByHand)
{
    std::vector<oracle::Request> const requests{{0, 0, 1, 1, 1}, {0, 0, 2, 2, 2}, {0, 1, 3, 3, 3}};
    EXPECT_EQ(oracle::sorted_f_batches({"exact-together"}, requests, 6, 0, 0).size(), 1u);
    EXPECT_EQ(oracle::sorted_f_batches({"exact"}, requests, 6, 0, 0).size(), 2u);
    EXPECT_EQ(oracle::sorted_f_batches({"exact-together"}, requests, 4, 0, 0).size(), 2u);
}

TEST(SortedFAgainstOracle, SubsetSelectors)
{
    std::mt19937_64 rng(crx_test::test_seed() + 10);
    for (std::uint64_t k = 0; k < 4000; ++k) {
        auto const instance = instance_at_0(rng, k % 40 == 0 ? 11 : 8);
        ASSERT_NO_FATAL_FAILURE(expect_equal(instance, Selector::exact, 100, k));
        ASSERT_NO_FATAL_FAILURE(expect_equal(instance, Selector::exact_together, 100, k));
        auto const cells = 1 + static_cast<std::int64_t>(rng() % 20);
        ASSERT_NO_FATAL_FAILURE(expect_equal(instance, Selector::scaled, cells, k));
    }
}

TEST(SortedFAgainstOracle, Heuristics)
{
    std::mt19937_64 rng(crx_test::test_seed() + 11);
    for (std::uint64_t k = 0; k < 4000; ++k) {
        auto const instance = instance_at_0(rng, 40);
        ASSERT_NO_FATAL_FAILURE(expect_equal(instance, Selector::swap, 100, k));
        ASSERT_NO_FATAL_FAILURE(expect_equal(instance, Selector::quantile, 100, k));
    }
}

/// As a policy of a sweep: the tally is that of the oracle's runs, beside another policy's, under
/// both clocks, and a replay gives each run again.
TEST(SortedFAgainstOracle, InASweep)
{
    for (bool const affine : {false, true}) {
        Cell cell;
        cell.workload.seed = 7;
        cell.workload.requests = 12;
        cell.workload.memory = 40;
        cell.workload.output_value = {1, 2, 5, 9};
        cell.workload.output_threshold = {1ull << 62, 2ull << 62, 3ull << 62, ~0ull};
        cell.workload.prompt_kind = PromptKind::table;
        cell.workload.prompt_value = {0, 3, 30};
        cell.workload.prompt_threshold = {1ull << 63, 7ull << 61, ~0ull};
        oracle::Clock clock;
        if (affine) {
            cell.workload.clock = {ClockKind::affine, 1000, 3 << 15, 1 << 16, 5};
            clock = {1000, 3 << 15, 1 << 16, 5};
            cell.baseline[0] = cell.baseline[1] = false;
        }
        cell.policies = {
            {ShortestFirst::kind, {}}, {ArrivalOrder::kind, {}}, {ArrivalOrder::kind, {}}};
        cell.orders = {nullptr, std::make_shared<SortedFOrder>(Settings{Selector::quantile}),
                       std::make_shared<SortedFOrder>(Settings{Selector::swap})};
        auto const tally = launch_host(cell, {5, 30});
        oracle::SortedF const policies[] = {{}, {"quantile"}, {"swap"}};
        for (std::size_t k = 1; k < 3; ++k) {
            std::int64_t total = 0;
            for (std::int64_t number = 5; number < 35; ++number) {
                auto const instance = generate_single(cell.workload, number);
                std::vector<oracle::Request> requests;
                for (std::size_t i = 0; i < 12; ++i)
                    requests.push_back({0, instance.prompt[i], instance.output[i],
                                        instance.output[i], instance.output[i]});
                auto const truth = oracle::simulate_sorted_f(
                    policies[k], requests, 40, 7, static_cast<std::uint64_t>(number), clock);
                total += truth.total_latency;
                auto const replayed = CellReplay(cell, number).execute(k);
                ASSERT_EQ(replayed.start, truth.start);
                ASSERT_EQ(replayed.outcome.total_latency, truth.total_latency);
                ASSERT_FALSE(replayed.timeline.empty());
            }
            EXPECT_EQ(static_cast<std::int64_t>(tally[k].sums.latency), total);
        }
    }
}

} // namespace
} // namespace crx::sorted_f
