#include "kernels/engines/iterations/iterate.hh"
#include "support/poisson_path.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

constexpr Nanoseconds second = 1'000'000'000;

// By hand: 2^63 - 1 = 9223372036 854775807 ns. A thousand seconds a token.
TEST(IterationTime, EndsAtTheLastInstantWhereItWouldEndLater)
{
    IterationTime const time{second, std::uint64_t{1'000 * second} << 16};
    EXPECT_EQ(time.end(5, 3), 3'001 * second + 5);
    EXPECT_EQ(time.of(9'223'372), 9'223'372'001 * second);
    EXPECT_EQ(time.of(9'223'373), INT64_MAX);
    EXPECT_EQ(time.of(10'000'000), INT64_MAX); // 2^63 < 10^19 < 2^64
    EXPECT_EQ(time.of(20'000'000), INT64_MAX); // above 2^64, below it modulo 2^64
    EXPECT_EQ(time.end(INT64_MAX - second, 0), INT64_MAX);
    EXPECT_EQ(time.end(INT64_MAX - second - 1, 0), INT64_MAX - 1);
    EXPECT_EQ(time.end(INT64_MAX, 0), INT64_MAX);
    EXPECT_EQ(time.end(9'000'000'000 * second, 1'000'000), INT64_MAX);
}

/// One type of 10^6 tokens, a thousand seconds each.
IterationCell slow_cell(double rate, std::vector<Nanoseconds> checkpoints)
{
    IterationCell cell;
    cell.time = {second, std::uint64_t{1'000 * second} << 16};
    cell.types = {{1'000'000, 1}};
    cell.arrivals = poisson_rates({{rate}});
    cell.policy.kind = IterationPolicyKind::wait;
    cell.seed = crx_test::test_seed();
    cell.checkpoints = std::move(checkpoints);
    return cell;
}

// A first batch that outlasts 64-bit time is the only one, and nothing of it ends.
TEST(IterationPaths, ABatchPastTheEndOfTimeNeverEnds)
{
    auto cell = slow_cell(1, {500 * second, 1'000 * second});
    for (std::int64_t const threshold : {10, 19, 37, 40}) {
        cell.policy.thresholds = wait_table(cell.types, {threshold});
        for (auto const& tally : execute_path(cell, 3)) {
            EXPECT_EQ(tally.iterations, 1) << threshold;
            EXPECT_EQ(tally.completed, 0) << threshold;
        }
    }
}

// A batch begun close to the end of time, too: no latency is longer than the horizon.
TEST(IterationPaths, LatenciesStayBelowTheHorizonUpToTheEndOfTime)
{
    auto cell = slow_cell(1e-9, {4'500'000'000 * second, 9'000'000'000 * second});
    std::int64_t completed = 0;
    for (std::int64_t path = 0; path < 50; ++path) {
        for (auto const kind : {IterationPolicyKind::wait, IterationPolicyKind::fcfs_safe}) {
            cell.policy.kind = kind;
            cell.policy.memory = 100'000'000;
            cell.policy.thresholds = wait_table(cell.types, {1});
            auto const tally = execute_path(cell, path).back();
            completed += tally.completed;
            EXPECT_TRUE(tally.total_latency() <= static_cast<Unsigned128>(tally.until) *
                                                     static_cast<Unsigned128>(tally.arrivals))
                << path;
        }
    }
    EXPECT_GT(completed, 100);
}

} // namespace
} // namespace crx
