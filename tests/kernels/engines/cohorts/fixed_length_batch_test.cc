#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "oracle/oracle.hh"
#include "support/lane_agreement.hh"
#include "support/large_composition.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::LaneRuns;
using crx_test::pick_between;

PolicySpec const policies[] = {
    {ShortestFirst::kind, {}}, {ShortestTotalFirst::kind, {}}, {PromoteLower::kind, {}}};

std::vector<SimdLevel> widths()
{
    std::vector<SimdLevel> all;
    for (auto const width : {SimdLevel::avx2, SimdLevel::avx512})
        if (width <= simd_level()) all.push_back(width);
    return all;
}

bool agrees(PolicySpec const& spec, Workload const& w, SimdLevel width, std::mt19937_64& rng,
            LaneRuns& runs, bool planted = false)
{
    auto const in_floats = width >= SimdLevel::avx512 ? 16 : 8;
    return crx_test::lanes_agree(spec, w, fixed_length_batch(spec, view_of(w), width).get(),
                                 in_floats, rng, runs, planted);
}

class FixedLengthBatchTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        if (widths().empty())
            GTEST_SKIP() << "this processor has no AVX2: instances are not run side by side";
    }

    void run_all(int workloads, bool large, std::uint64_t seed)
    {
        std::mt19937_64 rng(crx_test::test_seed() + seed);
        for (int k = 0; k < workloads && !HasFailure(); ++k) {
            auto workload =
                crx_test::random_composition(rng, k % 3 == 0 ? 20 : 2, k % 10 == 0 ? 6000 : 200);
            auto const times = large ? pick_between(rng, 1, 4'000'000) : 1;
            workload.memory = workload.memory * times + pick_between(rng, 0, times - 1);
            workload.requests = 0;
            for (auto& count : workload.output_count) {
                count *= pick_between(rng, 1, times);
                workload.requests += count;
            }
            if (workload.requests == 0 || workload.requests >= (std::int64_t{1} << 32) - 1)
                continue;
            run_policies(workload, rng);
        }
    }

    void run_policies(Workload& workload, std::mt19937_64& rng)
    {
        for (auto const& spec : policies) {
            if (spec.kind == PromoteLower::kind) crx_test::keep_ends(workload, rng);
            SCOPED_TRACE(crx_test::describe(workload));
            for (auto const width : widths()) agrees(spec, workload, width, rng, runs);
        }
    }

    LaneRuns runs;
};

// 6,000 compositions of two classes and 3,000 of up to twenty; of up to 200 requests, and of up to
// 6,000.
TEST_F(FixedLengthBatchTest, EqualTheEngineAlone)
{
    run_all(9000, false, 0);
    EXPECT_GT(runs.floats, 20000);
}

// The same with n and M up to a few million times as large, beyond what floats hold.
TEST_F(FixedLengthBatchTest, EqualTheEngineAloneInDoubles)
{
    run_all(3000, true, 1);
    EXPECT_GT(runs.doubles, 3000);
}

// Memory near the limits of floats or doubles, products far beyond them.
TEST_F(FixedLengthBatchTest, EqualTheEngineAloneUpToTheLimitsOfNumbers)
{
    std::mt19937_64 rng(crx_test::test_seed() + 4);
    for (auto const limit : {crx_test::large_floats, crx_test::large_doubles})
        for (int k = 0; k < 1500 && !HasFailure(); ++k) {
            auto w = crx_test::large_composition(rng, k % 3 == 0 ? 20 : 2, limit(k));
            run_policies(w, rng);
        }
    EXPECT_GT(runs.floats, 3000);
    EXPECT_GT(runs.doubles, 3300);
    EXPECT_GT(runs.none, 300);
}

// Where rounded products do not tell the cohort that limits most.
TEST_F(FixedLengthBatchTest, EqualTheEngineAloneWhereRoundingHidesACohort)
{
    std::mt19937_64 rng(crx_test::test_seed() + 5);
    for (int k = 0; k < 300 && !HasFailure(); ++k)
        for (auto const& spec : policies) {
            auto const w = crx_test::hidden_quotient_of_ends(rng, spec.kind == PromoteLower::kind);
            SCOPED_TRACE(crx_test::describe(w));
            for (auto const width : widths()) agrees(spec, w, width, rng, runs);
        }
    EXPECT_EQ(runs.doubles, 0);
}

void shortest_first_equals_the_oracle(Workload const& w)
{
    SCOPED_TRACE(crx_test::describe(w));
    std::vector<oracle::Request> requests;
    for (std::size_t c = 0; c < w.output_value.size(); ++c)
        requests.insert(
            requests.end(), static_cast<std::size_t>(w.output_count[c]),
            {0, w.prompt_constant, w.output_value[c], w.interval.lower, w.interval.upper});
    auto const truth = oracle::simulate({"mc-sf"}, requests, w.memory, w.seed, 0);
    for (auto const width : widths()) {
        auto const lanes = fixed_length_batch(policies[0], view_of(w), width);
        ASSERT_NE(lanes, nullptr);
        lanes->execute(0, 1, w.output_count.data());
        auto const& outcome = lanes->outcome(0);
        EXPECT_EQ(outcome.total_latency, truth.total_latency);
        EXPECT_EQ(outcome.first_token_latency, truth.first_token_latency);
        EXPECT_EQ(outcome.makespan, truth.makespan);
        EXPECT_EQ(outcome.peak_memory, truth.peak_memory);
        EXPECT_EQ(outcome.cancellations + truth.cancellations, 0);
    }
}

// Nothing is random under mc-sf, and the oracle says the same.
TEST_F(FixedLengthBatchTest, ShortestFirstEqualsTheOracle)
{
    std::mt19937_64 rng(crx_test::test_seed() + 3);
    for (int k = 0; k < 500 && !HasFailure(); ++k) {
        auto const w = crx_test::random_composition(rng, 8, 100);
        if (w.requests > 0) shortest_first_equals_the_oracle(w);
    }
}

// The same where rounded products do not tell the cohort that limits most.
TEST_F(FixedLengthBatchTest, ShortestFirstEqualsTheOracleWhereRoundingHidesACohort)
{
    std::mt19937_64 rng(crx_test::test_seed() + 7);
    for (int k = 0; k < 10 && !HasFailure(); ++k)
        shortest_first_equals_the_oracle(crx_test::hidden_quotient_of_few(rng));
}

TEST_F(FixedLengthBatchTest, ARequestOfAnotherClassIsCaught)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    LaneRuns runs_here;
    int caught = 0, workloads = 0;
    for (; workloads < 200; ++workloads) {
        auto workload = crx_test::random_composition(rng, 2);
        if (workload.output_value.size() < 2) continue;
        caught += !agrees(policies[0], workload, widths().front(), rng, runs_here, true);
    }
    EXPECT_GT(caught, 50);
}

TEST_F(FixedLengthBatchTest, AWorkloadThatIsNotOfTheKindIsLeftToTheEngineAlone)
{
    Workload w;
    w.requests = w.memory = 100;
    w.output_kind = OutputKind::composition;
    w.output_value = {1, 5, 10};
    w.output_count = {50, 25, 25};
    w.interval = {IntervalKind::common, 1, 10, 100, 0, 1};
    EXPECT_NE(fixed_length_batch(policies[0], view_of(w)), nullptr);
    EXPECT_EQ(fixed_length_batch(policies[2], view_of(w)), nullptr); // neither l nor u
    EXPECT_EQ(fixed_length_batch({MaxLength::kind, {}}, view_of(w)), nullptr);
    EXPECT_EQ(fixed_length_batch(policies[0], view_of(w), SimdLevel::none), nullptr);
    w.memory = 10; // one at a time: too many rounds
    w.requests = 1'000'000;
    w.output_count[0] = w.requests - 50;
    EXPECT_EQ(fixed_length_batch(policies[0], view_of(w)), nullptr);
}

} // namespace
} // namespace crx
