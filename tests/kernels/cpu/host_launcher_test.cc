#include "kernels/cpu/single.hh"
#include "kernels/engines/a_min/a_min_small.hh"
#include "kernels/engines/cell.hh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"
#include "kernels/policies/threshold.cuh"

#include "support/policy_parameters.hh"
#include <atomic>

#include <gtest/gtest.h>
#include <set>
#include <tbb/task_arena.h>

namespace crx {
namespace {

Cell small_cell()
{
    Cell cell;
    auto& w = cell.workload;
    w.seed = 4;
    w.requests = 60;
    w.memory = 40;
    w.output_kind = OutputKind::composition;
    w.output_value = {2, 9};
    w.output_count = {35, 25};
    w.prompt_constant = 1;
    w.interval = {IntervalKind::common, 2, 9, 100, 0, 1};
    for (auto const& info : policy_table())
        cell.policies.push_back(crx_test::with_parameters(info));
    return cell;
}

/// The tally of a range by its instances run one by one in full detail.
Tally sum_of_single_runs(Cell const& cell, InstanceRange range)
{
    Tally expected(cell.policies.size());
    auto const seed = cell.workload.seed;
    for (auto number = range.first; number < range.first + range.count; ++number) {
        auto const instance = generate_single(cell.workload, number);
        std::int64_t const baselines[baseline_kinds] = {
            execute_single({ShortestFirst::kind, {}}, instance, seed, number).outcome.total_latency,
            volume_bound(instance)};
        for (std::size_t k = 0; k < cell.policies.size(); ++k) {
            auto const outcome = execute_single(cell.policies[k], instance, seed, number).outcome;
            expected[k].sums.add(outcome, baselines, number);
            for (int b = 0; b < 2 && outcome.finished != 0; ++b)
                ++expected[k].histogram[b][histogram_bin(
                    fixed_ratio(outcome.total_latency, baselines[b]))];
        }
    }
    return expected;
}

TEST(LaunchHost, IsTheSumOfSingleRuns)
{
    auto const cell = small_cell();
    InstanceRange const range{100, 40};
    EXPECT_EQ(launch_host(cell, range), sum_of_single_runs(cell, range));
}

// The least that a denominator can be is 1: one request of one token.
TEST(LaunchHost, CountsRatiosOverADenominatorOfOne)
{
    auto cell = small_cell();
    cell.workload.requests = 1;
    cell.workload.output_value = {1};
    cell.workload.output_count = {1};
    cell.workload.interval = {IntervalKind::common, 1, 1, 100, 0, 1};
    std::erase_if(cell.policies, [](PolicySpec const& spec) { return spec.levels.count > 0; });
    for (auto const law : {RandomLaw::request, RandomLaw::cohort}) {
        auto one = cell;
        if (law == RandomLaw::cohort) {
            one.policies = {{MinLength::kind, {}}, {ShortestFirst::kind, {}}};
            one.laws = {law, law};
        }
        for (auto const& policy : launch_host(one, {0, 7}))
            for (int b = 0; b < 2; ++b) {
                ASSERT_EQ(policy.sums.ratio[b].baseline_sum, 7u);
                std::int64_t counted = 0;
                for (auto const& [bin, count] : policy.histogram[b]) counted += count;
                EXPECT_EQ(counted, 7);
            }
    }
}

// a-min runs side by side what has at most 64 active requests: all instances, some or none.
TEST(LaunchHost, IsTheSumOfSingleRunsWhereGroupsTakeAFewOnly)
{
    auto cell = small_cell();
    cell.policies = {{MinLength::kind, {}}, {MinLengthEvict::kind, {}}};
    auto& w = cell.workload;
    w.prompt_constant = 0;
    w.requests = 120;
    w.output_value = {1, 2, 3, 9};
    w.output_count = {30, 30, 30, 30};
    w.interval = {IntervalKind::relative, 1, 1, 100, 1, 2};
    for (Tokens const memory : {50, 100, 110, 120, 130, 140, 150, 200}) {
        w.memory = memory;
        InstanceRange const range{
            7, a_min_small_batch_size * tbb::this_task_arena::max_concurrency() + 3};
        EXPECT_EQ(launch_host(cell, range), sum_of_single_runs(cell, range)) << "M " << memory;
    }
}

// Whenever a launch is asked to stop, what comes back is the tally of as many of the first
// instances as it says.
TEST(LaunchHost, StopConditionEndsAfterSomeOfTheFirst)
{
    auto const cell = small_cell();
    InstanceRange const range{100, 400};
    StopCondition none;
    none.seconds = 0;
    EXPECT_GE(launch_host(cell, range, none).count, 1);
    std::set<std::int64_t> counts;
    for (int const questions : {0, 1, 2, 5, 9, 13, 1 << 30}) {
        std::atomic<int> asked = 0;
        StopCondition stop_condition;
        stop_condition.stop_asked = [&] { return asked++ >= questions; };
        auto const done = launch_host(cell, range, stop_condition);
        counts.insert(done.count);
        Tally const nothing(cell.policies.size());
        EXPECT_EQ(done.tally,
                  done.count == 0 ? nothing : launch_host(cell, {range.first, done.count}));
    }
    EXPECT_TRUE(counts.contains(0) && counts.contains(range.count));
    EXPECT_GE(counts.size(), 4u);
}

// Two requests that nobody ever cancels pass 10^9 rounds one by one.
TEST(LaunchHost, GivesUpAnInstanceThatTakesMinutes)
{
    Cell cell;
    cell.workload.requests = 2;
    cell.workload.memory = 10;
    cell.workload.output_kind = OutputKind::composition;
    cell.workload.output_value = {6};
    cell.workload.output_count = {2};
    cell.workload.prompt_constant = 1;
    PolicySpec spec{Clear::kind};
    spec.beta = {0, 1};
    spec.round_cap = std::int64_t{1} << 40;
    cell.policies = {spec};
    std::atomic<int> asked = 0;
    StopCondition stop_condition;
    stop_condition.grace = 0;
    stop_condition.stop_asked = [&] { return asked++ >= 100; };
    EXPECT_EQ(launch_host(cell, {0, 3}, stop_condition).count, 0);
}

TEST(LaunchHost, LeavesOutBaselinesNotAskedFor)
{
    auto cell = small_cell();
    cell.baseline[0] = false;
    auto const tally = launch_host(cell, {0, 3});
    for (auto const& policy : tally) {
        EXPECT_EQ(policy.sums.ratio[0].largest.instance, -1);
        EXPECT_TRUE(policy.histogram[0].empty());
        EXPECT_EQ(policy.sums.ratio[1].largest.instance == -1, policy.sums.count == 0);
    }
}

TEST(LaunchDevice, SaysWhyThereIsNone)
{
    if (!find_device().name.empty()) GTEST_SKIP() << "there is a device: " << find_device().name;
    EXPECT_FALSE(find_device().reason.empty());
    EXPECT_THROW(launch_device(small_cell(), {0, 1}), std::runtime_error);
}

// The same integers on both processors; `crx selftest --backend cuda` asks more of them.
TEST(LaunchDevice, GivesTheHostsTallies)
{
    if (find_device().name.empty()) GTEST_SKIP() << "no CUDA device: " << find_device().reason;
    EXPECT_EQ(launch_device(small_cell(), {5, 37}), launch_host(small_cell(), {5, 37}));
}

} // namespace
} // namespace crx
