#include "kernels/engines/lists/mc_sf_batch.hh"

#include "analysis/laws/jaillet_instances.hh"
#include "kernels/cpu/single.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/lists/two_instances.cuh"
#include "kernels/policies/registry.cuh"
#include "oracle/oracle.hh"
#include "support/simd_levels.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace crx::mc_sf_batch {
namespace {

auto* sort_at(SimdLevel level) { return CRX_AT_LEVEL(level, sort_rows); }

} // namespace
} // namespace crx::mc_sf_batch

namespace crx {
namespace {

using mc_sf_batch::lanes;
using mc_sf_batch::McSfBatch;
using mc_sf_batch::McSfBatchPlan;

void random_table(std::mt19937_64& rng, std::int32_t least, std::int32_t most,
                  std::vector<std::int32_t>& value, std::vector<std::uint64_t>& threshold)
{
    for (auto v = least; v <= most; ++v)
        if (v == least || rng() % 3 != 0) {
            value.push_back(v);
            threshold.push_back(rng());
        }
    std::ranges::sort(threshold);
    threshold.back() = UINT64_MAX;
}

/// A workload that may be served: few or many requests, memory for few or for many.
Workload random_workload(std::mt19937_64& rng)
{
    Workload w;
    w.seed = rng();
    w.requests = 1 + static_cast<std::int64_t>(rng() % (rng() % 4 == 0 ? 250 : 70));
    auto const least = static_cast<std::int32_t>(1 + rng() % 20);
    auto const most = least + static_cast<std::int32_t>(rng() % 30);
    random_table(rng, least, most, w.output_value, w.output_threshold);
    auto prompt = static_cast<std::int32_t>(rng() % 6);
    w.prompt_constant = prompt;
    if (rng() % 3 != 0) {
        w.prompt_kind = PromptKind::table;
        prompt += static_cast<std::int32_t>(rng() % 8);
        random_table(rng, w.prompt_constant, prompt, w.prompt_value, w.prompt_threshold);
    }
    w.memory = prompt + most + static_cast<Tokens>(rng() % (rng() % 5 == 0 ? 2000 : 60));
    return w;
}

Workload shape() { return jaillet_shape(60, 50, 45, 5); }

std::int64_t total_latency_of_oracle(OwnedInstance const& x)
{
    std::vector<oracle::Request> requests;
    for (std::size_t i = 0; i < x.output.size(); ++i)
        requests.push_back({0, x.prompt[i], x.output[i], x.output[i], x.output[i]});
    oracle::Policy policy;
    policy.id = "mc-sf";
    auto const schedule = oracle::simulate(policy, requests, x.memory, 1, 0);
    std::int64_t total = 0;
    for (auto const completion : schedule.completion) total += completion;
    return total;
}

// Some 30,000 instances, each beside the engine that steps from event to event (every number of its
// outcome), its volume bound, and each 16th beside the oracle.
TEST(McSfBatchPlan, EqualsTheRequestEngineAndTheOracle)
{
    std::mt19937_64 rng(crx_test::test_seed());
    auto const levels = crx_test::simd_levels(); // in turns
    if (levels.empty()) GTEST_SKIP() << "a processor without AVX2";
    int served = 0, known = 0, not_known = 0, bounded = 0;
    for (int number = 0; number < 1500 && !testing::Test::HasFailure(); ++number) {
        auto const w = random_workload(rng);
        auto const level = levels[static_cast<std::size_t>(number) % levels.size()];
        auto const plan = McSfBatchPlan::serving(view_of(w), level);
        if (!plan) continue;
        ++served;
        McSfBatch group(*plan, true);
        auto const first =
            static_cast<std::int64_t>(rng() % 5 == 0 ? (1ull << 32) - 9 : rng() % 99);
        group.execute(first);
        for (auto k = first; k < first + lanes; ++k) {
            SCOPED_TRACE(testing::Message() << "workload " << number << ", instance " << k);
            auto const x = generate_single(w, k);
            if (group.has_volume()) {
                ++bounded;
                EXPECT_EQ(group.volume(k - first), volume_bound(x));
            }
            auto const outcome = group.shortest_first(k - first);
            if (outcome.finished == 0) {
                ++not_known;
                continue;
            }
            ++known;
            EXPECT_EQ(outcome, execute_single({ShortestFirst::kind, {}}, x, w.seed, k).outcome);
            if (k % 16 == 0) {
                EXPECT_EQ(outcome.total_latency, total_latency_of_oracle(x));
            }
        }
    }
    EXPECT_GT(served, 500);
    EXPECT_GT(known, 10000);
    EXPECT_GT(not_known, 1000); // more than eight ends at once: both kinds occur
    EXPECT_GT(bounded, 10000);
}

/// What a GPU's thread says of instances `first` and `first` + 1 of one workload, beside the lanes;
/// how many of them are known.
template <int most>
int expect_lanes_of_pair(WorkloadView const& view, McSfBatch const& group, std::int64_t first,
                         std::int64_t place, bool alone)
{
    constexpr std::int64_t stride = 3;
    auto const plan = mc_sf_batch::thread_plan(view);
    std::vector<std::uint32_t> words(stride * most);
    mc_sf_batch::TwoInstances<most> pair(words.data() + 1, stride);
    pair.draw(0, plan, view, static_cast<std::uint64_t>(first));
    if (alone)
        pair.leave_out_second();
    else
        pair.draw(1, plan, view, static_cast<std::uint64_t>(first + 1));
    pair.sort();
    std::int32_t bound[2] = {};
    if (group.has_volume()) pair.volumes(bound);
    int known = 0;
    for (int half = 0; half < (alone ? 1 : 2); ++half) {
        auto const outcome = pair.shortest_first(half);
        auto const expected = group.shortest_first(place + half);
        EXPECT_EQ(outcome.finished, expected.finished);
        if (group.has_volume()) {
            EXPECT_EQ(bound[half], group.volume(place + half));
        }
        if (outcome.finished == 0) continue;
        ++known;
        EXPECT_EQ(outcome, expected);
    }
    return known;
}

// What a GPU's threads run, here one after the other with their keys apart, beside the lanes.
TEST(McSfBatchPlan, TwoInstancesAThreadEqualTheLanes)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int known = 0;
    for (int number = 0; number < 400 && !testing::Test::HasFailure(); ++number) {
        auto w = random_workload(rng);
        if (number % 3 == 0) w = shape();
        auto const view = view_of(w);
        if (!mc_sf_batch::layout_serving(view)) continue;
        if (w.requests > mc_sf_batch::most_thread_requests) continue;
        auto const in_lanes = McSfBatchPlan::serving(view);
        McSfBatch group(*in_lanes, true);
        group.execute(number);
        for (std::int64_t k = 0; k < lanes; k += 2) {
            bool const alone = k % 16 == 0;
            known += w.requests <= 16 ? expect_lanes_of_pair<16>(view, group, number + k, k, alone)
                     : w.requests <= 48
                         ? expect_lanes_of_pair<48>(view, group, number + k, k, alone)
                         : expect_lanes_of_pair<64>(view, group, number + k, k, alone);
        }
    }
    EXPECT_GT(known, 3000);
}

// A sweep gives the sums of single runs, whether or not other policies need the requests too.
TEST(McSfBatchPlan, GivesSweepsTheSumsOfSingleRuns)
{
    for (bool const alone : {true, false}) {
        Cell cell;
        cell.workload = shape();
        cell.policies = {{ShortestFirst::kind, {}}};
        if (!alone) cell.policies.push_back({ArrivalOrder::kind, {}});
        for (int b = 0; b < engine_baselines; ++b) cell.baseline[b] = true;
        InstanceRange const range{77, 2000};
        Tally expected(cell.policies.size());
        for (auto number = range.first; number < range.first + range.count; ++number) {
            auto const x = generate_single(cell.workload, number);
            auto const shortest =
                execute_single({ShortestFirst::kind, {}}, x, 5, number).outcome.total_latency;
            std::int64_t const baselines[baseline_kinds] = {shortest, volume_bound(x),
                                                            release_bound(x), shortest};
            for (std::size_t k = 0; k < cell.policies.size(); ++k) {
                auto const outcome = execute_single(cell.policies[k], x, 5, number).outcome;
                expected[k].sums.add(outcome, baselines, number);
                for (int b = 0; b < engine_baselines; ++b)
                    ++expected[k].histogram[b][histogram_bin(
                        fixed_ratio(outcome.total_latency, baselines[b]))];
            }
        }
        EXPECT_EQ(launch_host(cell, range), expected);
    }
}

TEST(McSfBatchPlan, LeavesOtherWorkloadsToTheEngines)
{
    EXPECT_TRUE(McSfBatchPlan::serving(view_of(shape())));
    auto const refused = [](auto change) {
        auto w = shape();
        change(w);
        return McSfBatchPlan::serving(view_of(w)) == nullptr;
    };
    EXPECT_TRUE(refused([](Workload& w) { w.requests = 257; }));
    EXPECT_TRUE(refused([](Workload& w) { w.memory = 49; })); // s + o can be 50
    EXPECT_TRUE(refused([](Workload& w) { w.memory = 8192; }));
    EXPECT_TRUE(refused([](Workload& w) { w.output_value.back() = 200; })); // the sum of outputs
    EXPECT_TRUE(refused([](Workload& w) { w.prompt_value.back() = 9; }));   // a key of 16 bits
    EXPECT_TRUE(refused([](Workload& w) { w.clock = {ClockKind::affine, 1, 0, 0, 0}; }));
    EXPECT_TRUE(refused([](Workload& w) { w.arrival_kind = ArrivalKind::poisson_rounds; }));
    EXPECT_TRUE(refused([](Workload& w) { w.output_kind = OutputKind::composition; }));
}

class MergeExchange : public crx_test::InEachLevel
{
};
CRX_IN_EACH_LEVEL(MergeExchange);

TEST_P(MergeExchange, SortsEveryLane)
{
    using namespace mc_sf_batch;
    auto* const sort = mc_sf_batch::sort_at(GetParam());
    std::mt19937_64 rng(crx_test::test_seed());
    for (int n = 1; n <= 256; ++n) {
        std::vector<mc_sf_batch::Row> rows(static_cast<std::size_t>(n));
        std::vector<std::vector<std::int16_t>> expected(lanes);
        auto const modulus = 1 + rng() % 32768;
        for (auto& row : rows)
            for (int lane = 0; lane < lanes; ++lane) {
                row.of[lane] = static_cast<std::int16_t>(rng() % modulus);
                expected[static_cast<std::size_t>(lane)].push_back(row.of[lane]);
            }
        auto const exchanges = mc_sf_batch::merge_exchange(n);
        sort(exchanges, rows.data());
        for (int lane = 0; lane < lanes; ++lane) {
            auto& column = expected[static_cast<std::size_t>(lane)];
            std::ranges::sort(column);
            for (std::size_t k = 0; k < rows.size(); ++k) ASSERT_EQ(rows[k].of[lane], column[k]);
        }
    }
}

} // namespace
} // namespace crx
