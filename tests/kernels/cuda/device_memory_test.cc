#include "kernels/cuda/launch_parts.hh"

#include "kernels/cuda/device_batch.cuh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

/// Outputs 10 or 100, each with probability a half; without denominators.
Cell two_point_cell(std::vector<PolicyKind> const& policies)
{
    Cell cell;
    auto& w = cell.workload;
    w.requests = 100'000;
    w.memory = 100'000;
    w.output_value = {10, 100};
    w.output_threshold = {std::uint64_t{1} << 63, UINT64_MAX};
    w.interval = {IntervalKind::common, 10, 100, 100, 0, 1};
    for (auto const kind : policies) cell.policies.push_back({kind, {}});
    cell.laws.assign(policies.size(), RandomLaw::cohort);
    std::ranges::fill(cell.baseline, false);
    return cell;
}

CohortMemory memory_of(Cell const& cell)
{
    return cohort_memory(cell, CellEngines(cell, Processor::gpu));
}

std::size_t bytes_of(PolicyKind kind)
{
    return sliced_cohort_bytes({kind, {}}, view_of(two_point_cell({kind}).workload));
}

TEST(DeviceMemory, IsOfWhatTheCellRuns)
{
    auto const bytes = [](std::vector<PolicyKind> const& policies) {
        return memory_of(two_point_cell(policies)).bytes;
    };
    ASSERT_GT(bytes_of(PromoteLower::kind), bytes_of(MaxLength::kind));
    ASSERT_GT(bytes_of(MaxLength::kind), bytes_of(ShortestFirst::kind));
    EXPECT_EQ(bytes({MaxLength::kind}), bytes_of(MaxLength::kind));
    EXPECT_EQ(bytes({MaxLength::kind, PromoteLower::kind}), bytes_of(PromoteLower::kind));

    // Denominators are run too; another engine's policies take nothing here.
    auto cell = two_point_cell({RandomOrder::kind, PromoteLower::kind});
    cell.laws = {RandomLaw::cohort, RandomLaw::request};
    EXPECT_EQ(memory_of(cell).bytes, bytes_of(RandomOrder::kind));
    cell.policies[0].kind = ShortestFirst::kind;
    EXPECT_EQ(memory_of(cell).bytes, bytes_of(ShortestFirst::kind));
    cell = two_point_cell({ShortestTotalFirst::kind});
    cell.baseline[static_cast<int>(BaselineKind::h_sf)] = true;
    EXPECT_EQ(memory_of(cell).bytes, bytes_of(ShortestFirst::kind));
}

TEST(DeviceMemory, EnginesThatAreOnlyComparedAreThoseThatLanesCanStandFor)
{
    auto cell = two_point_cell({MaxLength::kind, PromoteLower::kind});
    EXPECT_TRUE(memory_of(cell).compared_only);
    cell.baseline[static_cast<int>(BaselineKind::h_sf)] = true;
    cell.baseline[static_cast<int>(BaselineKind::volume)] = true;
    EXPECT_TRUE(memory_of(cell).compared_only);
    EXPECT_FALSE(memory_of(two_point_cell({MaxLength::kind, RandomOrder::kind})).compared_only);
    cell.laws = {RandomLaw::cohort, RandomLaw::request}; // whose engine needs arrays for all
    EXPECT_FALSE(memory_of(cell).compared_only);
    cell = two_point_cell({MaxLength::kind});
    cell.workload.output_value = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100}; // too many for lanes
    cell.workload.output_threshold.resize(9);
    EXPECT_FALSE(memory_of(cell).compared_only);
}

TEST(DeviceMemory, SlotsFitAndAreAsManyAsCanBe)
{
    constexpr std::int64_t none = 1'000'000'000;
    auto const slots = [](std::size_t bytes, std::int64_t wanted, std::size_t slot,
                          std::size_t engine, std::int64_t most) {
        auto const held = gpu_slots(bytes, wanted, slot, engine, most);
        return std::pair(held.slots, held.engines);
    };
    EXPECT_EQ(slots(1000, 7, 10, 90, none), std::pair(7l, 7l));
    EXPECT_EQ(slots(1000, 70, 10, 90, none), std::pair(10l, 10l));
    EXPECT_EQ(slots(1000, 70, 10, 90, 3), std::pair(70l, 3l)); // 270 for arrays, 730 are left
    EXPECT_EQ(slots(1000, 75, 10, 90, 3), std::pair(73l, 3l));
    EXPECT_EQ(slots(1000, 75, 10, 90, 70), std::pair(55l, 5l)); // half for arrays: 450
    EXPECT_EQ(slots(1000, 75, 10, 990, 70), std::pair(1l, 1l));
    EXPECT_EQ(slots(1000, 75, 10, 991, 70), std::pair(0l, 0l));
    EXPECT_EQ(slots(1000, 75, 10, 0, 3), std::pair(75l, 75l));
    std::mt19937_64 rng(crx_test::test_seed());
    auto const pick = [&](std::int64_t most) {
        return 1 + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(most));
    };
    for (int k = 0; k < 20'000; ++k) {
        auto const bytes = static_cast<std::size_t>(pick(100'000));
        auto const slot = static_cast<std::size_t>(pick(100));
        auto const engine = static_cast<std::size_t>(pick(2'000) - 1);
        auto const wanted = pick(3'000), most = pick(3'000);
        auto const held = gpu_slots(bytes, wanted, slot, engine, most);
        auto const all = gpu_slots(bytes, wanted, slot, engine, none);
        ASSERT_LE(static_cast<std::size_t>(held.slots) * slot +
                      static_cast<std::size_t>(held.engines) * engine,
                  bytes);
        ASSERT_GE(held.slots, all.slots);
        ASSERT_GE(held.slots, held.engines);
        ASSERT_LE(held.slots, wanted);
        ASSERT_EQ(held.engines == 0, all.slots == 0);
        ASSERT_EQ(all.slots, all.engines);
    }
}

// Each slot once, in the place of its number, with arrays that are there.
TEST(DeviceMemory, PartsByEngineSlotsAreTheBatch)
{
    std::vector<std::int64_t> counts(3 * 20);
    std::vector<char> requests(20), engines(8 * 16);
    Batch batch;
    std::vector<std::int32_t> const lengths{1, 2, 3};
    batch.workload.output_value = lengths;
    batch.workload.output_kind = OutputKind::table;
    batch.counts = counts.data();
    batch.requests = requests.data();
    batch.engines = engines.data();
    batch.engine_bytes = 16;
    batch.first = 100;
    for (std::int64_t const of : {0, 1, 7, 8, 9, 16, 20})
        for (std::int64_t const at_a_time : {1, 3, 8}) {
            batch.count = of;
            batch.engine_slots = at_a_time;
            std::vector<std::int64_t> seen;
            run_by_engine_slots(batch, [&](Batch const& part, std::int64_t from) {
                ASSERT_LE(part.count, at_a_time);
                for (std::int64_t slot = 0; slot < part.count; ++slot) {
                    seen.push_back(part.first + slot);
                    EXPECT_EQ(part.first + slot, batch.first + from + slot);
                    EXPECT_EQ(part.counts_of(slot), batch.counts_of(from + slot));
                    auto const* const arrays = static_cast<char*>(part.engine_of(slot));
                    EXPECT_GE(arrays, engines.data());
                    EXPECT_LE(arrays + 16, engines.data() + at_a_time * 16);
                }
            });
            ASSERT_EQ(std::ssize(seen), of);
            for (std::int64_t k = 0; k < of; ++k)
                EXPECT_EQ(seen[static_cast<std::size_t>(k)], 100 + k);
        }
}

} // namespace
} // namespace crx
