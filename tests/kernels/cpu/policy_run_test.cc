#include "kernels/cpu/policy_run.hh"

#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

/// Outputs 3 or 9, each with probability a half; l = 3, u = 9.
Cell two_point_cell()
{
    Cell cell;
    auto& w = cell.workload;
    w.seed = crx_test::test_seed();
    w.requests = 400;
    w.memory = 120;
    w.prompt_constant = 1;
    w.output_value = {3, 9};
    w.output_threshold = {std::uint64_t{1} << 63, UINT64_MAX};
    w.interval = {IntervalKind::common, 3, 9, 100, 0, 1};
    for (auto const kind : {MaxLength::kind, PromoteLower::kind, MinLength::kind,
                            ShortestFirst::kind, ShortestTotalFirst::kind})
        cell.policies.push_back({kind, {}});
    cell.laws.assign(cell.policies.size(), RandomLaw::cohort);
    return cell;
}

// Batches begin anywhere in a range whose length no number of lanes divides; the end of the range
// goes one by one.
TEST(PolicyRun, BatchesEqualTheEngineAlone)
{
    auto const cell = two_point_cell();
    CellEngines const engines(cell, Processor::cpu);
    HostGenerator const generator(view_of(cell.workload));
    auto const room = capacity_for(cell, engines);
    LazyInstances together(engine_case(cell, nullptr), generator, room);
    LazyInstances alone(engine_case(cell, nullptr), generator, room);
    together.expect({7, 43});
    for (auto const& policy : engines.runs) {
        if (simd_level() != SimdLevel::none) EXPECT_GT(policy.chain.size(), 1u);
        PolicyRun run(policy), single(policy);
        for (std::int64_t k = 7; k < 50; ++k)
            EXPECT_EQ(run.execute(k, 50, together, {}), single.execute(k, k + 1, alone, {})) << k;
    }
}

TEST(PolicyRun, APolicyByCohortsWithoutBatchesKeepsBlocksSmall)
{
    auto cell = two_point_cell();
    if (simd_level() != SimdLevel::none)
        EXPECT_GT(first_block(CellEngines(cell, Processor::cpu)), 1);
    cell.policies.push_back({RandomOrder::kind, {}});
    cell.laws.push_back(RandomLaw::cohort);
    EXPECT_EQ(first_block(CellEngines(cell, Processor::cpu)), 1);
}

TEST(PolicyRun, APolicyThatNoRowTakesIsABrokenContract)
{
    auto cell = two_point_cell();
    cell.policies = {{ArrivalOrder::kind, {}}}; // has no cohorts
    cell.laws = {RandomLaw::cohort};
    CellEngines const engines(cell, Processor::cpu);
    EXPECT_DEATH(first_block(engines), "broken contract: !chain.empty");
    EXPECT_DEATH(widest_batch(engines), "broken contract: !chain.empty");
}

// A row may leave out its scratch memory, but not how it is run.
TEST(PolicyRun, ARowWithoutScratchMemoryTakesNone)
{
    auto row = *engines()[0];
    EXPECT_GT(row.scratch_bytes({}, {}), 0u);
    row.bytes = nullptr;
    EXPECT_EQ(row.scratch_bytes({}, {}), 0u);
    row.make = nullptr;
    EXPECT_DEATH(row.make_runner({}, {}), "broken contract: make != nullptr");
    row.make = [](PolicySpec const&, EngineCase const&) { return std::unique_ptr<BatchRunner>(); };
    EXPECT_DEATH(row.make_runner({}, {}), "broken contract");
}

/// Takes even instances; of a batch of four those in the range.
class TakesEven final : public BatchRunner
{
  public:
    explicit TakesEven(int instances) : BatchRunner(instances) {}
    void execute(InstanceRange range, LazyInstances&, ScheduleLog const&,
                 std::optional<Outcome>* outcomes) override
    {
        for (std::int64_t k = 0; k < range.count; ++k) {
            outcomes[k].reset();
            if ((range.first + k) % 2 != 0 && instances() > 1) continue;
            outcomes[k].emplace();
            outcomes[k]->total_latency = range.first + k;
            outcomes[k]->events = instances();
        }
    }
};

// What a batch does not take, and what is left of a range that is too short for it, goes to the
// next of the chain.
TEST(PolicyRun, TheNextEngineTakesWhatABatchDoesNot)
{
    auto batch = *engines()[0], rest = batch;
    batch.portable = false;
    batch.instances = 4;
    batch.least = 3;
    batch.make = [](PolicySpec const&, EngineCase const&) -> std::unique_ptr<BatchRunner> {
        return std::make_unique<TakesEven>(4);
    };
    rest.make = [](PolicySpec const&, EngineCase const&) -> std::unique_ptr<BatchRunner> {
        return std::make_unique<TakesEven>(1);
    };
    PolicyRun run({{}, RandomLaw::request, {}, {&batch, &rest}});
    Cell const cell = two_point_cell();
    HostGenerator const generator(view_of(cell.workload));
    LazyInstances instances(engine_case(cell, nullptr), generator, {});
    for (std::int64_t k = 10; k < 16; ++k) { // 10 to 13 in a batch, 14 and 15 alone
        auto const outcome = run.execute(k, 16, instances, {});
        EXPECT_EQ(outcome.total_latency, k);
        EXPECT_EQ(outcome.events, k < 14 && k % 2 == 0 ? 4 : 1) << k;
    }
}

} // namespace
} // namespace crx
