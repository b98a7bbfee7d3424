// Baselines of sweeps that are searched for or solved: what a cell counts of them.
#include "analysis/baseline/hindsight_baselines.hh"

#include "analysis/baseline/hindsight.hh"
#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/jaillet_instances.hh"
#include "analysis/statistics/summary.hh"
#include "kernels/cpu/policy_run.hh"
#include "kernels/engines/cell.hh"
#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

namespace crx {
namespace {

using baseline::HindsightBaselines;
using baseline::HindsightEffort;

std::vector<BaselineKind> const all_kinds{BaselineKind::best_found, BaselineKind::peaks,
                                          BaselineKind::opt_lower, BaselineKind::opt_upper,
                                          BaselineKind::opt};

/// n small requests, M = 14: optima are found in milliseconds.
Cell small_cell(std::vector<BaselineKind> const& kinds, HindsightEffort const& effort)
{
    Cell cell;
    cell.workload.seed = 5;
    cell.workload.requests = 7;
    cell.workload.memory = 14;
    cell.workload.prompt_constant = 2;
    auto law = uniform_law(1, 10);
    cell.workload.output_value = std::move(law.value);
    cell.workload.output_threshold = std::move(law.threshold);
    cell.policies = {{ShortestFirst::kind, {}}, {ArrivalOrder::kind, {}}};
    for (auto const kind : kinds) cell.baseline[static_cast<int>(kind)] = true;
    cell.host_baselines = std::make_shared<HindsightBaselines>(kinds, effort);
    return cell;
}

RatioTally const& ratio_of(Tally const& tally, std::size_t policy, BaselineKind kind)
{
    return tally[policy].sums.ratio[static_cast<int>(kind)];
}

// Each sum of denominators is that of what `hindsight` says instance by instance, and MC-SF's
// latency over them is summed with it.
TEST(HindsightBaselines, AreWhatHindsightSaysOfEachInstance)
{
    HindsightEffort const effort{200, 0, 100'000};
    auto const cell = small_cell(all_kinds, effort);
    constexpr std::int64_t instances = 25;
    auto const tally = launch_host(cell, {0, instances});
    std::map<BaselineKind, std::int64_t> sums;
    for (std::int64_t k = 0; k < instances; ++k) {
        auto const instance = CellReplay(cell, k).instance();
        baseline::HindsightLimits limits;
        limits.seconds = 1e9;
        limits.evaluations_a_request = effort.evaluations;
        limits.steps = effort.steps;
        limits.nodes = effort.nodes;
        auto const result = hindsight(instance, limits);
        ASSERT_TRUE(result.optimal());
        sums[BaselineKind::best_found] +=
            std::min(result.schedule("best-found").value(), result.schedule("mc-sf-total").value());
        sums[BaselineKind::peaks] += result.bound("peaks").value();
        for (auto const kind :
             {BaselineKind::opt_lower, BaselineKind::opt_upper, BaselineKind::opt})
            sums[kind] += result.upper;
    }
    for (auto const kind : all_kinds)
        for (std::size_t policy = 0; policy < 2; ++policy)
            EXPECT_EQ(static_cast<std::int64_t>(ratio_of(tally, policy, kind).baseline_sum),
                      sums[kind])
                << static_cast<int>(kind);
    EXPECT_LT(sums[BaselineKind::peaks], sums[BaselineKind::opt]); // or nothing was to be searched
}

// With the usual effort, 4 n^2 steps, the ascent alone stays below sum o on many of these, and at 0
// on one; as a denominator it would drop such an instance.
TEST(HindsightBaselines, PeaksIsAtLeastWhatRequestsNeedAlone)
{
    auto const bounds = [](Tokens memory, std::vector<std::int32_t> prompt,
                           std::vector<std::int32_t> output) {
        OwnedInstance instance;
        instance.memory = memory;
        instance.arrival.assign(output.size(), 0);
        instance.prompt = std::move(prompt);
        instance.output = instance.lower = instance.upper = std::move(output);
        baseline::HindsightLimits limits;
        limits.parts = {true, false};
        auto const result = hindsight(instance, limits);
        EXPECT_LE(result.lower, result.upper);
        return std::pair(result.bound("peaks").value(), result.bound("outputs").value());
    };
    EXPECT_EQ(bounds(2, {1}, {1}).first, 1);
    EXPECT_EQ(bounds(10, {3, 1}, {5, 2}).first, 7);
    int above = 0;
    for (std::uint64_t k = 0; k < 60; ++k) {
        auto const cell = small_cell({BaselineKind::peaks}, {20, 0, 1});
        auto const drawn = CellReplay(cell, static_cast<std::int64_t>(k)).instance();
        auto const n = 1 + k % 4;
        auto const [peaks, outputs] =
            bounds(14, {drawn.prompt.begin(), drawn.prompt.begin() + static_cast<long>(n)},
                   {drawn.output.begin(), drawn.output.begin() + static_cast<long>(n)});
        EXPECT_GE(peaks, outputs);
        above += peaks > outputs;
    }
    EXPECT_GT(above, 0); // the ascent says something too
}

// A value does not depend on which others are asked for, nor results on threads and chunks.
TEST(HindsightBaselines, DependOnNothingElse)
{
    HindsightEffort const effort{50, 30, 20};
    constexpr std::int64_t instances = 24;
    auto const whole = launch_host(small_cell(all_kinds, effort), {0, instances});
    for (auto const kind : all_kinds) {
        auto const alone = launch_host(small_cell({kind}, effort), {0, instances});
        EXPECT_EQ(ratio_of(alone, 0, kind), ratio_of(whole, 0, kind)) << static_cast<int>(kind);
    }
    auto const cell = small_cell(all_kinds, effort);
    for (int const threads : {1, 3}) {
        Tally pieces(2);
        tbb::task_arena arena(threads);
        for (std::int64_t first = 0; first < instances; first += 5)
            arena.execute([&] {
                auto const piece =
                    launch_host(cell, {first, std::min<std::int64_t>(5, instances - first)});
                for (std::size_t k = 0; k < pieces.size(); ++k) pieces[k].add(piece[k]);
            });
        EXPECT_EQ(pieces, whole);
    }
}

// With one node nearly nothing is proven: what is not is in no ratio over opt, and in the bracket.
TEST(HindsightBaselines, OptCountsWhatIsProven)
{
    constexpr std::int64_t instances = 30;
    auto const tally = launch_host(small_cell(all_kinds, {20, 0, 1}), {0, instances});
    auto const opt = summarise(tally[1], BaselineKind::opt, 0.95);
    auto const lower = summarise(tally[1], BaselineKind::opt_lower, 0.95);
    auto const upper = summarise(tally[1], BaselineKind::opt_upper, 0.95);
    EXPECT_LT(opt.divided, instances);
    EXPECT_EQ(opt.instances, instances);
    EXPECT_FALSE(opt.ratio_of_means);
    EXPECT_EQ(lower.divided, instances);
    EXPECT_EQ(upper.divided, instances);
    EXPECT_LT(upper.mean_of_ratios->mean, lower.mean_of_ratios->mean);
    auto const more = launch_host(small_cell(all_kinds, {20, 0, 100'000}), {0, instances});
    auto const proven = summarise(more[1], BaselineKind::opt, 0.95);
    EXPECT_EQ(proven.divided, instances);
    EXPECT_TRUE(proven.ratio_of_means);
    // The optimum lies in the bracket that less effort gives.
    EXPECT_GE(proven.mean_of_ratios->mean, upper.mean_of_ratios->mean);
    EXPECT_LE(proven.mean_of_ratios->mean, lower.mean_of_ratios->mean);
}

// A stop gives up the instance within the grace and loses nothing that was finished: what remains
// is the tally of a shorter range.
TEST(HindsightBaselines, StopSoonAfterBeingAsked)
{
    Cell cell;
    cell.workload.seed = 3;
    cell.policies = {{ShortestFirst::kind, {}}};
    cell.source = std::make_shared<JailletInstances>(JailletInstances::Model::all_at_once);
    cell.workload.requests = cell.source->most_requests();
    cell.workload.memory = cell.source->most_memory();
    std::vector<BaselineKind> const kinds{BaselineKind::opt_upper};
    cell.baseline[static_cast<int>(BaselineKind::opt_upper)] = true;
    // Hours of search.
    cell.host_baselines = std::make_shared<HindsightBaselines>(
        kinds, HindsightEffort{1'000'000'000, 0, 1'000'000'000});
    auto const begin = std::chrono::steady_clock::now();
    auto const seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    StopCondition stop_condition;
    stop_condition.stop_asked = [&] { return seconds() > 0.2; };
    stop_condition.grace = 0.1;
    auto const launched = launch_host(cell, {0, 4}, stop_condition);
    EXPECT_EQ(launched.count, 0);
    EXPECT_LT(seconds(), 5);
}

} // namespace
} // namespace crx
