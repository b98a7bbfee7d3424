#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/max_length.cuh"
#include "oracle/oracle.hh"
#include "support/lane_agreement.hh"
#include "support/large_composition.hh"
#include "support/simd_levels.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::LaneRuns;
using crx_test::pick_between;

PolicySpec const a_max{MaxLength::kind, {}};

/// Instances side by side in floats, of three registers or two; in doubles fewer.
constexpr int most_lanes(SimdLevel width) { return width >= SimdLevel::avx512 ? 48 : 16; }

bool agrees(Workload const& w, SimdLevel width, std::mt19937_64& rng, LaneRuns& runs,
            bool planted = false)
{
    return crx_test::lanes_agree(a_max, w, a_max_batch(view_of(w), width).get(), most_lanes(width),
                                 rng, runs, planted);
}

class AMaxBatchTest : public testing::TestWithParam<SimdLevel>
{
  protected:
    void SetUp() override
    {
        Workload w;
        w.requests = w.memory = 100;
        w.output_kind = OutputKind::composition;
        w.output_value = {1, 10};
        w.output_count = {50, 50};
        w.interval = {IntervalKind::common, 1, 10, 100, 0, 1};
        if (a_max_batch(view_of(w), GetParam()) == nullptr)
            GTEST_SKIP() << "this processor has no such registers";
    }
};

INSTANTIATE_TEST_SUITE_P(Widths, AMaxBatchTest, testing::Values(SimdLevel::avx512, SimdLevel::avx2),
                         crx_test::name_of);

// 6,000 compositions of two classes and 3,000 of up to eight; of up to 200 requests, and of up to
// 6,000.
TEST_P(AMaxBatchTest, EqualTheEngineAlone)
{
    std::mt19937_64 rng(crx_test::test_seed());
    LaneRuns runs;
    for (int k = 0; k < 9000 && !HasFailure(); ++k) {
        auto const workload =
            crx_test::random_composition(rng, k % 3 == 0 ? 8 : 2, k % 10 == 0 ? 6000 : 200);
        if (workload.requests == 0) continue;
        SCOPED_TRACE(crx_test::describe(workload));
        agrees(workload, GetParam(), rng, runs);
    }
    EXPECT_GT(runs.floats, 8000);
}

// Groups of some hundred among up to 300,000 requests: lines of several large blocks.
TEST_P(AMaxBatchTest, EqualTheEngineAloneInSeveralBlocks)
{
    std::mt19937_64 rng(crx_test::test_seed() + 4);
    LaneRuns runs;
    for (int k = 0; k < 40 && !HasFailure(); ++k) {
        Workload w;
        w.seed = rng();
        w.output_kind = OutputKind::composition;
        w.output_value = k % 3 == 0 ? std::vector<std::int32_t>{2, 5, 9, 20, 31, 40}
                                    : std::vector<std::int32_t>{5, 40};
        for (std::size_t j = 0; j < w.output_value.size(); ++j) {
            w.output_count.push_back(pick_between(rng, 10'000, k % 3 == 0 ? 40'000 : 150'000));
            w.requests += w.output_count.back();
        }
        w.memory = 40 * pick_between(rng, 100, 3000);
        w.interval = {IntervalKind::common, w.output_value.front(), 40, 100, 0, 1};
        SCOPED_TRACE(crx_test::describe(w));
        agrees(w, GetParam(), rng, runs);
    }
    EXPECT_EQ(runs.floats, 40);
}

// Memory near the limits of floats or doubles, products far beyond them.
TEST_P(AMaxBatchTest, EqualTheEngineAloneUpToTheLimitsOfNumbers)
{
    std::mt19937_64 rng(crx_test::test_seed() + 5);
    LaneRuns runs;
    for (auto const limit : {crx_test::large_floats, crx_test::large_doubles})
        for (int k = 0; k < 1000 && !HasFailure(); ++k) {
            auto const w = crx_test::large_composition(rng, k % 3 == 0 ? 8 : 2, limit(k));
            SCOPED_TRACE(crx_test::describe(w));
            agrees(w, GetParam(), rng, runs);
        }
    EXPECT_GT(runs.floats, 700);
    EXPECT_GT(runs.doubles, 750);
    EXPECT_GT(runs.none, 50);
}

// Where rounded products do not tell the place that limits most.
TEST_P(AMaxBatchTest, EqualTheEngineAloneWhereRoundingHidesAPlace)
{
    std::mt19937_64 rng(crx_test::test_seed() + 6);
    LaneRuns runs;
    for (int k = 0; k < 100 && !HasFailure(); ++k) {
        auto const w = crx_test::hidden_quotient_of_a_max(rng);
        SCOPED_TRACE(crx_test::describe(w));
        agrees(w, GetParam(), rng, runs);
    }
    EXPECT_EQ(runs.floats, 100);
}

// The same with n and M up to a few million times as large, beyond what floats hold.
TEST_P(AMaxBatchTest, EqualTheEngineAloneInDoubles)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    LaneRuns runs;
    for (int k = 0; k < 3000 && !HasFailure(); ++k) {
        auto workload = crx_test::random_composition(rng, k % 3 == 0 ? 8 : 2);
        auto const times = pick_between(rng, 1, 4'000'000);
        workload.memory = workload.memory * times + pick_between(rng, 0, times);
        workload.requests = 0;
        for (auto& count : workload.output_count) {
            count *= pick_between(rng, 1, times);
            workload.requests += count;
        }
        if (workload.requests == 0 || workload.requests >= (std::int64_t{1} << 32) - 1) continue;
        SCOPED_TRACE(crx_test::describe(workload));
        agrees(workload, GetParam(), rng, runs);
    }
    EXPECT_GT(runs.doubles, 1500);
}

// One request in another class shows.
TEST_P(AMaxBatchTest, NoticeAPlantedFault)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    LaneRuns runs;
    int noticed = 0;
    for (int k = 0; k < 200; ++k) {
        auto workload = crx_test::random_composition(rng, 2, 2000);
        if (workload.output_value.size() == 2 && workload.output_count.front() > 0)
            noticed += agrees(workload, GetParam(), rng, runs, true) ? 0 : 1;
    }
    EXPECT_GT(noticed, 50);
}

// One class: nothing is random, and the oracle says the same.
TEST_P(AMaxBatchTest, OneClassEqualsTheOracle)
{
    std::mt19937_64 rng(crx_test::test_seed() + 3);
    for (int k = 0; k < 500 && !HasFailure(); ++k) {
        auto const w = crx_test::random_composition(rng, 1);
        SCOPED_TRACE(crx_test::describe(w));
        auto const lanes = a_max_batch(view_of(w), GetParam());
        ASSERT_NE(lanes, nullptr);
        lanes->execute(k, 1, w.output_count.data());
        std::vector<oracle::Request> const requests(
            static_cast<std::size_t>(w.requests),
            {0, w.prompt_constant, w.output_value.front(), w.interval.lower, w.interval.upper});
        auto const truth =
            oracle::simulate({"a-max"}, requests, w.memory, w.seed, static_cast<std::uint64_t>(k));
        auto const& outcome = lanes->outcome(0);
        EXPECT_EQ(outcome.total_latency, truth.total_latency);
        EXPECT_EQ(outcome.first_token_latency, truth.first_token_latency);
        EXPECT_EQ(outcome.makespan, truth.makespan);
        EXPECT_EQ(outcome.peak_memory, truth.peak_memory);
        EXPECT_EQ(outcome.cancellations + truth.cancellations, 0);
    }
}

// Nine lengths, an instance of more rounds than are run without a question, and numbers past 2^52.
TEST_P(AMaxBatchTest, SayWhatTheyDoNotServe)
{
    Workload w;
    w.output_kind = OutputKind::composition;
    w.interval = {IntervalKind::common, 1, 9, 100, 0, 1};
    w.output_value = {1, 2, 3, 4, 5, 6, 7, 8};
    w.output_count = {1, 1, 1, 1, 1, 1, 1, 1};
    w.requests = 8;
    w.memory = 9;
    EXPECT_NE(a_max_batch(view_of(w), GetParam()), nullptr);
    w.output_value.push_back(9);
    w.output_count.push_back(1);
    w.requests = 9;
    EXPECT_EQ(a_max_batch(view_of(w), GetParam()), nullptr);
    w.output_value = {1, 9};
    w.output_count = {2000000, 2000000};
    w.requests = 4000000;
    EXPECT_EQ(a_max_batch(view_of(w), GetParam()), nullptr);
    w.memory = 9000;
    EXPECT_EQ(a_max_batch(view_of(w), GetParam())->lanes(), most_lanes(GetParam()));
    auto const doubles = GetParam() >= SimdLevel::avx512 ? 16 : 8;
    w.memory = std::int64_t{1} << 40;
    EXPECT_EQ(a_max_batch(view_of(w), GetParam())->lanes(), doubles);
    // n + 2 is held too.
    w.memory = (1 << 24) - 1;
    w.output_count = {1, (1 << 24) - 3};
    w.requests = (1 << 24) - 2;
    EXPECT_EQ(a_max_batch(view_of(w), GetParam())->lanes(), most_lanes(GetParam()));
    ++w.output_count[0];
    ++w.requests;
    EXPECT_EQ(a_max_batch(view_of(w), GetParam())->lanes(), doubles);
    w.memory = std::int64_t{1} << 51;
    EXPECT_EQ(a_max_batch(view_of(w), GetParam()), nullptr);
}

} // namespace
} // namespace crx
