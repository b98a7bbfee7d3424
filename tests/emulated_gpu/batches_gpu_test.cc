// Lists of cells in one launch on an emulated GPU: the host's integers of each, few launches, and
// threads enough to fill it.
#include "analysis/laws/jaillet_instances.hh"
#include "emulated_gpu/fresh_gpu.hh"
#include "emulated_gpu/launch.hh"
#include "host/selftest/selftest_cases.hh"
#include "kernels/cuda/autotune.cuh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/policies/shortest_first.cuh"

#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>
#include <thread>

namespace crx {
namespace {

class EmulatedBatches : public crx_test::FreshGpu
{
  protected:
    /// Every case of the self-test under all policies, by requests and by cohorts.
    static std::vector<Cell> all_cells()
    {
        std::vector<Cell> all;
        for (auto const& test : selftest_cases()) {
            Cell cell{test.workload, selftest_policies(test), {true, true}};
            all.push_back(cell);
            std::erase_if(cell.policies, [&](PolicySpec const& spec) {
                return !cohort_refusal(spec, view_of(cell.workload)).empty();
            });
            cell.laws.assign(cell.policies.size(), RandomLaw::cohort);
            if (!cell.policies.empty()) all.push_back(cell);
        }
        return all;
    }

    static void expect_hosts(std::vector<LaunchPart> const& parts)
    {
        auto const done = launch_device(parts, {});
        EXPECT_NO_THROW(if (done.error) std::rethrow_exception(done.error));
        ASSERT_EQ(done.parts.size(), parts.size());
        for (std::size_t k = 0; k < parts.size(); ++k) {
            EXPECT_EQ(done.parts[k].count, parts[k].range.count);
            EXPECT_EQ(done.parts[k].tally, launch_host(*parts[k].cell, parts[k].range)) << k;
        }
    }
};

// All policies over cells that differ in everything, in any order, some of them twice and some with
// no instances. By every way that engines are chosen, in batches that end inside of cells. Planted
// and caught: sums of a block that begin at a neighbour's slot, and policies' parameters of the
// first cell for all.
TEST_F(EmulatedBatches, MixedCellsHaveTheHostsIntegers)
{
    std::mt19937_64 rng(crx_test::test_seed());
    auto cells = all_cells();
    for (auto const& choice :
         {GpuChoice{}, GpuChoice{"portable"}, GpuChoice{"", true}, GpuChoice{"mc-sf-batch"}}) {
        std::vector<LaunchPart> parts;
        for (auto& cell : cells) {
            cell.gpu_choice = choice;
            cell.gpu_choice.batch_instances = 20;
        }
        for (int k = 0; k < 10; ++k)
            parts.push_back(
                {&cells[rng() % cells.size()],
                 {static_cast<std::int64_t>(rng() % 1000), static_cast<std::int64_t>(rng() % 7)}});
        expect_hosts(parts);
    }
}

/// Cells of n = 3 to 12 that differ in memory and in the laws of both lengths.
std::vector<Cell> small_cells(std::size_t count)
{
    std::vector<Cell> cells;
    for (std::size_t k = 0; k < count; ++k) {
        auto const step = static_cast<std::int32_t>(k % 30);
        cells.push_back({jaillet_shape(8 + step % 5, 14 + step, 4 + step % 9, k),
                         {{ShortestFirst::kind, {}}},
                         {true, true}});
    }
    return cells;
}

// A thousand cells of ten instances each fill a GPU of 8,192 threads by half or more, kernels of
// sums and lists among them, and take a few launches each.
TEST_F(EmulatedBatches, SmallCellsFillTheGpuTogether)
{
    changed_gpu().processors = 4;
    use_device();
    auto cells = small_cells(1000);
    for (auto& cell : cells) {
        cell.gpu_choice.engine = "mc-sf-batch";
        cell.gpu_choice.batch_instances = 10'000; // whatever time it takes
    }
    std::vector<LaunchPart> parts;
    for (auto const& cell : cells) parts.push_back({&cell, {5, 10}});
    auto const before = emulated::launched_threads().size();
    expect_hosts(parts);
    auto const& all = emulated::launched_threads();
    double busy = 0;
    for (auto k = before; k < all.size(); ++k)
        busy += std::min(1.0, static_cast<double>(all[k]) / static_cast<double>(full_gpu()));
    EXPECT_GE(busy / static_cast<double>(all.size() - before), 0.5);
}

// Two calls on a GPU with memory for a third of the instances: each takes more batches, and no
// array is asked for that the GPU has no memory for, which would be an error. Planted and caught:
// room for four times as many.
TEST_F(EmulatedBatches, TwoCallsShareLittleMemory)
{
    for (auto const* const engine : {"portable", "mc-sf-batch"}) {
        auto cells = small_cells(200);
        std::vector<LaunchPart> parts;
        for (auto& cell : cells) {
            cell.gpu_choice = {engine};
            cell.gpu_choice.batch_instances = 10'000; // whatever time it takes
            parts.push_back({&cell, {7, 10}});
        }
        changed_gpu() = {};
        auto const before = emulated::launches();
        expect_hosts(parts);
        auto const whole = emulated::launches() - before;
        changed_gpu().bytes = std::size_t{2} << 20;
        {
            std::jthread const other([&] { expect_hosts(parts); });
            expect_hosts(parts);
        }
        EXPECT_GE(emulated::launches() - before, 5 * whole);
    }
}

// What was finished before a fault is there with it: whole parts, and the first instances of one.
TEST_F(EmulatedBatches, AFaultTakesNothingThatWasFinished)
{
    auto cells = small_cells(30);
    std::vector<LaunchPart> parts;
    for (auto& cell : cells) {
        cell.gpu_choice = {"mc-sf-batch"};
        cell.gpu_choice.batch_instances = 64;
        parts.push_back({&cell, {0, 10}});
    }
    std::set<std::int64_t> kept;
    for (int after = 0; after < 40; after += 3) {
        renew({.launches_to_fault = after});
        auto const done = launch_device(parts, {});
        std::int64_t finished = 0;
        for (std::size_t k = 0; k < done.parts.size(); ++k) {
            finished += done.parts[k].count;
            EXPECT_EQ(done.parts[k].tally, launch_host(cells[k], {0, done.parts[k].count}));
        }
        EXPECT_EQ(done.error == nullptr, finished == 300);
        kept.insert(finished);
    }
    EXPECT_GE(kept.size(), 3u);
    EXPECT_TRUE(kept.contains(0));
}

// Likewise where somebody asks for an end, or time is over.
TEST_F(EmulatedBatches, AnEndBetweenBatchesKeepsThem)
{
    auto cells = small_cells(30);
    std::vector<LaunchPart> parts;
    for (auto& cell : cells) {
        cell.gpu_choice = {"mc-sf-batch"};
        cell.gpu_choice.batch_instances = 64;
        parts.push_back({&cell, {0, 10}});
    }
    int asked = 0;
    StopCondition stopped, late;
    stopped.stop_asked = [&] { return ++asked > 3; };
    late.seconds = 0;
    for (auto const* const condition : {&stopped, &late}) {
        auto const done = launch_device(parts, *condition);
        EXPECT_EQ(done.error, nullptr);
        std::int64_t finished = 0;
        for (std::size_t k = 0; k < done.parts.size(); ++k) {
            finished += done.parts[k].count;
            EXPECT_EQ(done.parts[k].tally, launch_host(cells[k], {0, done.parts[k].count}));
        }
        EXPECT_GT(finished, 0);
        EXPECT_LT(finished, 300);
    }
}

} // namespace
} // namespace crx
