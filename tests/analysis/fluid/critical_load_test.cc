#include "analysis/fluid/critical_load.hh"

#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx::fluid {
namespace {

constexpr Nanoseconds second = 1'000'000'000;

/// AO appendix A.3 at K = 1 s, d1 = 0.05 s: M* = 9, and w_j = 3 l'_j.
IterationCell papers_cell(IterationPolicyKind kind, Tokens memory)
{
    IterationCell cell;
    cell.time = {550'000'000, std::uint64_t{50'000'000} << 16};
    cell.types = {{1, 1}, {1, 2}};
    cell.arrivals = poisson_rates({{1, 1}});
    cell.policy.kind = kind;
    cell.policy.memory = memory;
    // Batches of at most 9 tokens: WAIT as in (9), Nested WAIT at equality in (10).
    cell.policy.thresholds = kind == IterationPolicyKind::wait
                                 ? wait_table(cell.types, {1, 1})
                                 : nested_table(cell.types, {{1, {1, 2}, {2, 1}}});
    cell.seed = crx_test::test_seed();
    for (std::int64_t s = 1; s <= 4096; s *= 2) cell.checkpoints.push_back(s * second);
    return cell;
}

/// How often the bound at `memory` is above what is left, and above what prompts waited, in all.
struct Compared
{
    std::int64_t count = 0, work = 0, waited = 0;
};
Compared compare(IterationCell const& cell, Tokens memory, int paths)
{
    Compared out;
    for (std::int64_t path = 0; path < paths; ++path) {
        auto const tallies = execute_path(cell, path);
        auto const left = work_left_at_least(cell, memory, path);
        for (std::size_t c = 0; c < left.size(); ++c) {
            ++out.count;
            // 3 l'_j a prompt of type j, 6 at most; time in the system is the integral of their
            // number.
            out.work +=
                3 * static_cast<double>(tallies[c].tokens_in_system()) < left[c].work - 1e-6;
            out.waited += 6e-9 * static_cast<double>(tallies[c].total_latency()) <
                          left[c].work_time * (1 - 1e-12) - 1e-6;
        }
    }
    return out;
}

// Proposition 3's bound holds on every path for every policy that there is, at every checkpoint.
TEST(CriticalLoad, BoundsEveryPolicyPathByPath)
{
    using enum IterationPolicyKind;
    for (auto const kind : {wait, nested_wait, fcfs_vllm, fcfs_sarathi, fcfs_safe}) {
        auto const all = compare(papers_cell(kind, 9), 9, 100);
        EXPECT_EQ(all.count, 1300);
        EXPECT_EQ(all.work, 0) << static_cast<int>(kind);
        EXPECT_EQ(all.waited, 0) << static_cast<int>(kind);
    }
    auto cell = papers_cell(fcfs_sarathi, 9);
    for (Tokens const budget : {3, 7}) {
        cell.policy.budget = budget;
        EXPECT_EQ(compare(cell, 9, 50).work, 0);
    }
}

// A bound for less memory than the policy has is broken: the comparison can fail.
TEST(CriticalLoad, IsOfThatMemory)
{
    EXPECT_GT(compare(papers_cell(IterationPolicyKind::wait, 9), 8, 20).work, 20);
    EXPECT_GT(compare(papers_cell(IterationPolicyKind::wait, 9), 8, 20).waited, 20);
    // And memory is what makes it: WAIT inside (9), with batches of 18 tokens, is below it.
    auto inside = papers_cell(IterationPolicyKind::wait, 18);
    inside.policy.thresholds = wait_table(inside.types, {2, 2});
    EXPECT_GT(compare(inside, 9, 20).work, 20);
}

// H0: the mean work left is that of a reflected Brownian motion but for a prompt's work, 6 tokens.
// False alarm 1e-9 (6.2 standard errors, normal limit). A deviation that is off by a tenth is
// found.
TEST(CriticalLoad, GrowsLikeTheRootOfTime)
{
    auto const cell = papers_cell(IterationPolicyKind::wait, 9);
    auto const critical = critical_load({0.55, 0.05, cell.types, {1, 1}});
    EXPECT_NEAR(critical.deviation, std::sqrt(45.0), 1e-12);
    EXPECT_EQ(critical.work_per_prompt, 6);
    EXPECT_EQ(critical.work_per_token, 3);
    constexpr int paths = 4'000;
    double sum = 0, squares = 0;
    for (std::int64_t path = 0; path < paths; ++path) {
        auto const work = work_left_at_least(cell, 9, path).back().work;
        sum += work;
        squares += work * work;
    }
    auto const mean = sum / paths;
    auto const error = std::sqrt((squares / paths - mean * mean) / paths);
    EXPECT_LT(std::abs(mean - critical.work(4096)), 6.2 * error + 6);
    EXPECT_GT(std::abs(mean - 1.15 * critical.work(4096)), 6.2 * error + 6);
    RecordProperty("mean_work",
                   std::to_string(mean) + " of " + std::to_string(critical.work(4096)));
}

TEST(CriticalLoad, MeansAreThoseOfTheRoot)
{
    auto const critical = critical_load({0.55, 0.05, {{1, 1}, {1, 2}}, {1, 1}});
    EXPECT_NEAR(critical.work(M_PI / 2), std::sqrt(45.0), 1e-12);
    EXPECT_NEAR(critical.latency(M_PI / 2), std::sqrt(45.0) * 2 / 3 / 12, 1e-12);
    EXPECT_NEAR(critical.gap(M_PI / 2), std::sqrt(45.0) / 3 / (M_PI / 2), 1e-12);
}

} // namespace
} // namespace crx::fluid
