#include "kernels/cuda/device_paths.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/iterations/path_batches.hh"
#include "support/test_seed.hh"

#include <atomic>
#include <gtest/gtest.h>

namespace crx {
namespace {

IterationCell cell_of(IterationPolicyKind kind)
{
    IterationCell cell;
    cell.time = {1'000'000, 65536 * 1000};
    cell.types = {{4, 3}, {4, 9}};
    cell.arrivals = poisson_rates({{40, 25}});
    cell.policy.kind = kind;
    cell.policy.memory = 40;
    cell.policy.thresholds = kind == IterationPolicyKind::wait
                                 ? wait_table(cell.types, {2, 11})
                                 : nested_table(cell.types, {{4, {3, 9}, {3, 2}}});
    cell.seed = crx_test::test_seed();
    cell.checkpoints = {100'000'000, 1'000'000'000, 1'700'000'000};
    return cell;
}

auto run(IterationCell const& cell, std::int64_t slots, std::int64_t first, std::int64_t count,
         StopCondition const& stop_condition, double launch_seconds)
{
    return run_in_slots(*host_path_slots(cell, slots), cell, first, count, stop_condition,
                        launch_seconds);
}

// However paths are cut into slices and batches, they are those of launch_paths.
TEST(PathBatches, AreTheSamePaths)
{
    using enum IterationPolicyKind;
    for (auto const kind : {wait, nested_wait, fcfs_vllm, fcfs_sarathi, fcfs_safe}) {
        auto const cell = cell_of(kind);
        auto const whole = launch_paths(cell, 2, 13);
        for (double const seconds : {0.0, 1e-5, 1e9})
            for (std::int64_t const slots : {1, 5, 100})
                EXPECT_EQ(run(cell, slots, 2, 13, {}, seconds), whole)
                    << static_cast<int>(kind) << ' ' << seconds << ' ' << slots;
    }
}

// A slice of one instant, and every number of instants up to the whole path.
TEST(PathBatches, APathStopsAtEveryInstant)
{
    auto cell = cell_of(IterationPolicyKind::fcfs_sarathi);
    cell.policy.budget = 5;
    auto const whole = execute_path(cell, 1);
    auto const quorum = arrival_quorum(cell);
    auto const plan = path_plan(cell, quorum);
    auto const bytes = path_arena_bytes<FcfsPolicy>(plan, 1024);
    for (std::int64_t steps = 1; steps < 200; ++steps) {
        auto const block = std::make_unique<std::byte[]>(bytes);
        Arena arena(block.get(), bytes);
        PathRun<FcfsPolicy> path(plan, 1, 1024, arena);
        std::vector<IterationTally> tallies(3);
        std::int64_t slices = 1;
        for (; path.run(plan, steps, tallies.data()) == PathStatus::running; ++slices) {
            auto const elsewhere = path; // another copy goes on: nothing refers to the first
            path = elsewhere;
        }
        EXPECT_EQ(tallies, whole) << steps;
        EXPECT_GE(slices * steps, whole.back().iterations) << steps;
    }
}

// Queues that overflow make a path begin anew with more room, the others stay.
TEST(PathBatches, RunAgainWithMoreRoom)
{
    auto cell = cell_of(IterationPolicyKind::fcfs_safe);
    cell.arrivals = poisson_rates({{1500, 500}}); // 3,400 arrive, most of them wait
    auto const whole = launch_paths(cell, 0, 20);
    std::int64_t longer = 0;
    for (auto const& path : whole) longer += path.back().in_system() > 1024;
    EXPECT_GT(longer, 0);
    EXPECT_EQ(run(cell, 7, 0, 20, {}, 1e-4), whole);
}

TEST(PathBatches, StopBetweenLaunches)
{
    auto const cell = cell_of(IterationPolicyKind::wait);
    auto const whole = launch_paths(cell, 0, 12);
    std::size_t partial = 0;
    for (int const questions : {0, 3, 5}) {
        std::atomic<int> asked = 0;
        StopCondition stop_condition;
        stop_condition.grace = 0;
        stop_condition.stop_asked = [&] { return asked++ >= questions; };
        auto const paths = run(cell, 3, 0, 12, stop_condition, 0);
        std::size_t done = 0;
        for (std::size_t k = 0; k < paths.size(); ++k) {
            if (paths[k].empty()) continue;
            EXPECT_EQ(paths[k], whole[k]);
            ++done;
        }
        EXPECT_TRUE(questions > 0 || done == 0);
        EXPECT_LT(done, paths.size());
        partial += done > 0;
    }
    EXPECT_GT(partial, 0u);
}

// One path of 10^9 iterations: minutes, but it is given up.
TEST(LaunchPaths, GiveUpAPathThatTakesMinutes)
{
    auto cell = cell_of(IterationPolicyKind::wait);
    cell.time = {1000, 65536};
    cell.arrivals = poisson_rates({{200'000, 100'000}});
    cell.checkpoints = {cell.arrivals.longest() / 16};
    std::atomic<int> asked = 0;
    StopCondition stop_condition;
    stop_condition.grace = 0;
    stop_condition.stop_asked = [&] { return asked++ >= 20; };
    EXPECT_TRUE(launch_paths(cell, 0, 1, stop_condition).front().empty());
}

TEST(LaunchPathsDevice, SaysWhyThereIsNone)
{
    if (!find_device().name.empty()) GTEST_SKIP() << "there is a device: " << find_device().name;
    EXPECT_THROW(launch_paths_device(cell_of(IterationPolicyKind::wait), 0, 1), std::runtime_error);
}

// The same integers on both processors; `crx selftest --backend cuda` asks more of them.
TEST(LaunchPathsDevice, GivesTheHostsPaths)
{
    if (find_device().name.empty()) GTEST_SKIP() << "no CUDA device: " << find_device().reason;
    for (auto const kind : {IterationPolicyKind::nested_wait, IterationPolicyKind::fcfs_vllm}) {
        auto const cell = cell_of(kind);
        EXPECT_EQ(launch_paths_device(cell, 5, 97), launch_paths(cell, 5, 97));
    }
}

} // namespace
} // namespace crx
