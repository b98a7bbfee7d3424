#include "kernels/engines/iterations/iterate.hh"
#include "oracle/prompt_arrivals.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

/// The same path by the oracle: its own arrivals, one iteration at a time.
IterationTally by_oracle(IterationCell const& cell, oracle::IterationPolicy const& policy,
                         std::int64_t path)
{
    auto const table = cell.arrivals.table();
    std::vector<oracle::PromptProcess> processes;
    oracle::IterationModel model{
        cell.time.overhead, static_cast<std::int64_t>(cell.time.per_token), {}};
    for (std::int32_t j = 0; j < table.types; ++j) {
        auto const& law = table.law(j);
        processes.push_back(
            {law.bits, {std::begin(law.threshold), std::end(law.threshold)}, {}, 1});
        auto const& type = cell.types[static_cast<std::size_t>(j)];
        model.types.push_back({type.prompt, type.output});
    }
    auto const until = cell.checkpoints.back();
    auto const arrivals =
        oracle::prompt_arrivals(processes, cell.seed, static_cast<std::uint64_t>(path), until);
    auto const run = oracle::iterate(model, policy, arrivals, until);
    IterationTally t;
    t.until = until;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        auto const output = model.types[arrivals[i].type].output;
        ++t.arrivals;
        t.arrived_tokens += output;
        t.arrival_time += static_cast<Unsigned128>(arrivals[i].time);
        if (auto const end = run.completion[i]; end >= 0 && end <= until) {
            ++t.completed;
            t.completed_tokens += output;
            t.completion_time += static_cast<Unsigned128>(end);
        }
        if (auto const first = run.first_token[i]; first >= 0 && first <= until) {
            ++t.first_tokens;
            t.first_token_time += static_cast<Unsigned128>(first);
        }
    }
    for (auto const& it : run.iterations) {
        ++t.iterations;
        t.batch_prompts += static_cast<std::int64_t>(it.served.size());
        t.cancelled += static_cast<std::int64_t>(it.cancelled.size());
        t.peak_memory = std::max(t.peak_memory, it.memory);
    }
    return t;
}

// The whole chain, arrivals drawn and all: WAIT with thresholds on either side of where arrivals
// are put in order, WAIT with hard memory, and a policy that needs each arrival.
TEST(IterationPaths, AreEquivalentToOracle)
{
    std::mt19937_64 random(crx_test::test_seed());
    auto const draw = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    std::int64_t completed = 0, cancelled = 0;
    for (std::int64_t path = 0; path < 60; ++path) {
        IterationCell cell;
        cell.time = {draw(100'000, 20'000'000),
                     static_cast<std::uint64_t>(draw(0, 65536 * 20'000))};
        cell.seed = crx_test::test_seed();
        auto const types = draw(1, 4);
        std::vector<double> rate;
        std::vector<std::int64_t> n;
        for (std::int64_t j = 0; j < types; ++j) {
            cell.types.push_back({draw(1, 9), draw(1, 12)});
            rate.push_back(static_cast<double>(draw(1, 2000)));
            n.push_back(draw(1, draw(0, 1) ? 5 : 40));
        }
        cell.arrivals = poisson_rates({rate});
        oracle::IterationPolicy policy;
        if (path % 3 == 0) {
            cell.policy.kind = IterationPolicyKind::fcfs_sarathi;
            cell.policy.memory = policy.memory = draw(21, 200);
            policy.id = "fcfs-sarathi";
        } else {
            cell.policy.thresholds = wait_table(cell.types, n);
            policy.id = "wait";
            policy.thresholds = n;
            if (path % 3 == 1) {
                cell.policy.memory = policy.memory =
                    cell.policy.thresholds.prefill_tokens(cell.types) + draw(0, 200);
                cell.policy.hard = policy.hard = true;
            }
        }
        cell.checkpoints = {draw(50'000'000, 400'000'000)};
        auto const tally = execute_path(cell, path).back();
        EXPECT_TRUE(tally == by_oracle(cell, policy, path))
            << "path " << path << ", CRX_TEST_SEED " << cell.seed;
        completed += tally.completed;
        if (cell.policy.hard) cancelled += tally.cancelled;
    }
    EXPECT_GT(completed, 1000);
    EXPECT_GT(cancelled, 1000);
}

} // namespace
} // namespace crx
