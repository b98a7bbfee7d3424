#include "kernels/engines/iterations/iterate.hh"
#include "support/poisson_path.hh"
#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx {
namespace {

/// Arrivals per type in [0, seconds), over `paths` paths.
struct Counts
{
    std::vector<double> per_type, per_slice;
    double total = 0, squares = 0; ///< of a path's count, for its variance
};

Counts count(PoissonRates const& rates, double seconds, int paths, double slices)
{
    Counts counts{std::vector<double>(static_cast<std::size_t>(rates.types)),
                  std::vector<double>(static_cast<std::size_t>(slices)), 0, 0};
    for (int path = 0; path < paths; ++path) {
        crx_test::OwnedArrivals owned(rates, static_cast<std::uint64_t>(path));
        auto& arrivals = owned.arrivals;
        double here = 0;
        for (; static_cast<double>(arrivals.time()) < seconds * 1e9; arrivals.advance()) {
            ++counts.per_type[static_cast<std::size_t>(arrivals.type())];
            auto const slice = std::fmod(static_cast<double>(arrivals.time()) / 1e9, slices);
            ++counts.per_slice[static_cast<std::size_t>(slice)];
            ++here;
        }
        counts.total += here;
        counts.squares += here * here;
    }
    return counts;
}

/// |count - mean| over 6.5 standard deviations of a Poisson count: above 1 has probability below
/// 1e-10 (normal limit; all means here are at least 10^4).
double off(double count, double mean) { return std::abs(count - mean) / (6.5 * std::sqrt(mean)); }

// H0: independent Poisson processes of the given rates. False alarm 1e-9 in all. A rate that is off
// by 1 % is found.
TEST(PoissonArrivals, HaveTheirRates)
{
    std::vector<double> const rates = {1, 20, 300.5, 0.25};
    auto const counts = count(poisson_rates({rates}), 100, 400, 1);
    for (std::size_t j = 0; j < rates.size(); ++j)
        EXPECT_LT(off(counts.per_type[j], rates[j] * 40'000), 1) << j;
    EXPECT_GT(off(counts.per_type[2], 1.01 * rates[2] * 40'000), 1); // the power that is claimed
    // The count of a path has its mean as variance; the sample variance of 400 counts is within
    // 6.5 sqrt(2/399) of it.
    auto const mean = counts.total / 400;
    auto const variance = (counts.squares - 400 * mean * mean) / 399;
    EXPECT_NEAR(variance / mean, 1, 6.5 * std::sqrt(2.0 / 399));
}

TEST(PoissonArrivals, FollowTheSlices)
{
    std::vector<std::vector<double>> const rates = {{10, 0}, {0, 40}, {5, 5}};
    auto const counts = count(poisson_rates(rates, 1'000'000'000), 3000, 40, 3);
    EXPECT_LT(off(counts.per_slice[0], 10 * 40'000), 1);
    EXPECT_LT(off(counts.per_slice[1], 40 * 40'000), 1);
    EXPECT_LT(off(counts.per_slice[2], 10 * 40'000), 1);
    EXPECT_LT(off(counts.per_type[0], 15 * 40'000), 1);
    EXPECT_LT(off(counts.per_type[1], 45 * 40'000), 1);
}

IterationCell small_cell()
{
    IterationCell cell;
    cell.time = {1'000'000, 65536 * 1000};
    cell.types = {{4, 3}, {6, 9}};
    cell.arrivals = poisson_rates({{30, 20}});
    cell.policy.kind = IterationPolicyKind::wait;
    cell.policy.thresholds = wait_table(cell.types, {1, 1});
    cell.seed = crx_test::test_seed();
    cell.checkpoints = {1'000'000'000, 10'000'000'000};
    return cell;
}

// A shorter horizon is a prefix of the same path, and a path does not depend on its neighbours.
TEST(IterationPaths, AreFunctionsOfTheirNumber)
{
    for (auto const kind : {IterationPolicyKind::wait, IterationPolicyKind::fcfs_vllm}) {
        auto cell = small_cell();
        cell.policy.kind = kind;
        cell.policy.memory = 40;
        auto const paths = launch_paths(cell, 3, 5);
        for (std::int64_t k = 0; k < 5; ++k)
            EXPECT_EQ(paths[static_cast<std::size_t>(k)], execute_path(cell, 3 + k));
        cell.checkpoints = {1'000'000'000};
        EXPECT_EQ(execute_path(cell, 4).front(), paths[1].front());
        EXPECT_NE(paths[0], paths[1]);
    }
}

// Types are told of the same path, and their sums add up to its own.
TEST(IterationPaths, TypesAddUpToThePath)
{
    for (std::size_t kind = 0; kind < std::size(iteration_policy_ids); ++kind) {
        auto cell = small_cell();
        cell.policy.kind = static_cast<IterationPolicyKind>(kind);
        cell.policy.memory = 40;
        if (cell.policy.kind == IterationPolicyKind::nested_wait) {
            cell.types = {{4, 3}, {4, 9}};
            cell.policy.thresholds = nested_table(cell.types, {{4, {3, 9}, {2, 1}}});
            cell.policy.memory = 107; // of a full batch
        }
        for (bool const hard : {false, true}) {
            if (hard && !has_thresholds(cell.policy.kind)) continue;
            cell.policy.hard = hard;
            auto const typed = launch_typed_paths(cell, 7, 1).front();
            EXPECT_EQ(typed.tallies, execute_path(cell, 7)) << kind << hard;
            for (std::size_t c = 0; c < typed.tallies.size(); ++c) {
                auto const& all = typed.tallies[c];
                auto const &one = typed.types[c][0], &two = typed.types[c][1];
                EXPECT_GT(one.completed, 0);
                EXPECT_GT(two.completed, 0);
                EXPECT_EQ(one.arrivals + two.arrivals, all.arrivals);
                EXPECT_TRUE(one.total_latency(all.until) + two.total_latency(all.until) ==
                            all.total_latency());
                EXPECT_TRUE(one.total_time_to_first_token(all.until) +
                                two.total_time_to_first_token(all.until) ==
                            all.total_time_to_first_token());
            }
        }
    }
}

// Prompts inside a later segment of Nested WAIT move only when newer ones reach it. With hard
// memory below a full batch (107 tokens) they may hold what the newer would need: then all stands
// still, and every batch is of prefills that restart. It has come to that within 10 s on all of
// 10,000 paths that were looked at; 50 are taken here.
TEST(IterationPaths, TooLittleHardMemoryStopsNestedWait)
{
    auto cell = small_cell();
    cell.policy.kind = IterationPolicyKind::nested_wait;
    cell.types = {{4, 3}, {4, 9}};
    cell.policy.thresholds = nested_table(cell.types, {{4, {3, 9}, {2, 1}}});
    cell.policy.hard = true;
    cell.checkpoints = {10'000'000'000, 40'000'000'000};
    for (std::int64_t path = 0; path < 50; ++path) {
        cell.policy.memory = 40;
        auto const stopped = execute_path(cell, path);
        EXPECT_EQ(stopped[0].completed, stopped[1].completed) << path;
        EXPECT_GT(stopped[1].cancelled, stopped[0].cancelled + 10'000) << path;
        cell.policy.memory = 107;
        auto const goes_on = execute_path(cell, path);
        EXPECT_GT(goes_on[1].completed, goes_on[0].completed + 1000) << path;
        EXPECT_GT(goes_on[1].cancelled, 0) << path;
    }
}

// A queue that outgrows its first room is run again with more: 10^5 prompts wait here.
TEST(IterationPaths, QueuesGrow)
{
    auto cell = small_cell();
    cell.arrivals = poisson_rates({{6000, 4000}});
    cell.policy.memory = 40;
    for (auto const kind : {IterationPolicyKind::fcfs_safe, IterationPolicyKind::nested_wait}) {
        cell.policy.kind = kind;
        if (kind == IterationPolicyKind::nested_wait) {
            cell.types = {{4, 3}, {4, 9}};
            cell.policy.thresholds = nested_table(cell.types, {{4, {3, 9}, {2, 1}}});
        }
        auto const last = execute_path(cell, 0).back();
        EXPECT_GT(last.in_system(), 50'000);
        EXPECT_GT(last.completed, 1000);
    }
}

} // namespace
} // namespace crx
