#include "kernels/engines/cohorts/instance_batch.hh"

#include "kernels/policies/min_length.cuh"
#include "support/lane_agreement.hh"
#include "support/simd_levels.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::LaneRuns;
using crx_test::pick_between;

constexpr PolicyKind kinds[] = {MinLength::kind, MinLengthEvict::kind};

bool agrees(PolicyKind kind, Workload const& w, SimdLevel width, std::mt19937_64& rng,
            LaneRuns& runs, bool planted = false)
{
    auto const lanes = a_min_batch(kind, view_of(w), width);
    return crx_test::lanes_agree({kind, {}}, w, lanes.get(), width == SimdLevel::avx512 ? 16 : 8,
                                 rng, runs, planted);
}

class AMinBatchTest : public testing::TestWithParam<SimdLevel>
{
  protected:
    void SetUp() override
    {
        if (GetParam() > simd_level()) GTEST_SKIP() << "this processor has no such registers";
    }

    LaneRuns runs;
};

INSTANTIATE_TEST_SUITE_P(Widths, AMinBatchTest, testing::Values(SimdLevel::avx512, SimdLevel::avx2),
                         crx_test::name_of);

// 2,500 compositions of up to twelve classes under either policy, of up to 200 requests and of up
// to 6,000, with outputs down to one token.
TEST_P(AMinBatchTest, EqualTheEngineAlone)
{
    std::mt19937_64 rng(crx_test::test_seed() + 950);
    for (int k = 0; k < 2500 && !HasFailure(); ++k) {
        auto const w = crx_test::random_composition(rng, 1 + k % 12, k % 10 == 0 ? 6000 : 200);
        if (w.requests == 0) continue;
        SCOPED_TRACE(crx_test::describe(w));
        agrees(kinds[k / 12 % 2], w, GetParam(), rng, runs);
    }
    EXPECT_GT(runs.floats, 2000);
}

// Draws among one, two, four registers of cohorts and more, rooms of many rounds, and memory up to
// the most that is taken, where every number is still exact.
TEST_P(AMinBatchTest, EqualTheEngineAloneInCrowds)
{
    std::mt19937_64 rng(crx_test::test_seed() + 951);
    for (int k = 0; k < 24 && !HasFailure(); ++k) {
        auto const w = k % 4 == 0   ? crx_test::crowded_composition(rng, 500, 40000)
                       : k % 4 == 1 ? crx_test::crowded_composition(rng, 100, (1 << 24) - 1)
                                    : crx_test::crowded_composition(rng, 150, 8000);
        SCOPED_TRACE(crx_test::describe(w));
        agrees(kinds[k / 4 % 2], w, GetParam(), rng, runs);
    }
    EXPECT_GT(runs.floats, 10); // others may last too long
}

// More cohorts than a few registers hold have working length l, of some of which it is known that
// they are longer.
TEST_P(AMinBatchTest, EqualTheEngineAloneWhereManyOfTheShortestOverflow)
{
    std::mt19937_64 rng(crx_test::test_seed() + 953);
    for (int k = 0; k < 40 && !HasFailure(); ++k) {
        auto w = crx_test::crowded_composition(rng, 150, 20000);
        w.memory = pick_between(rng, 10000, 20000);
        w.interval.lower = static_cast<std::int32_t>(pick_between(rng, 70, 100));
        w.interval.upper = static_cast<std::int32_t>(pick_between(rng, 101, 150));
        w.output_value = {w.interval.lower, w.interval.upper};
        w.output_count = {pick_between(rng, 100, 400), pick_between(rng, 100, 800)};
        w.requests = w.output_count[0] + w.output_count[1];
        SCOPED_TRACE(crx_test::describe(w));
        agrees(kinds[k % 2], w, GetParam(), rng, runs);
    }
    EXPECT_EQ(runs.floats, 40);
}

// Prompts up to the most that fit, memory that one request fills, and the most requests.
TEST_P(AMinBatchTest, EqualTheEngineAloneAtTheLimits)
{
    constexpr std::int64_t most_memory = (1 << 24) - 1;
    std::mt19937_64 rng(crx_test::test_seed() + 954);
    for (int k = 0; k < 300 && !HasFailure(); ++k) {
        auto w = crx_test::random_composition(rng, 4, 60);
        if (w.requests == 0) continue;
        auto const u = w.interval.upper;
        auto const most =
            k % 2 == 0 ? most_memory - u : std::int64_t{1} << pick_between(rng, 2, 20);
        w.prompt_constant = static_cast<std::int32_t>(pick_between(rng, most - most / 4, most));
        auto const together = pick_between(rng, 1, 40) * (w.prompt_constant + u);
        w.memory = std::min(most_memory, together + pick_between(rng, 0, 3));
        SCOPED_TRACE(crx_test::describe(w));
        agrees(kinds[k / 2 % 2], w, GetParam(), rng, runs);
    }
    EXPECT_GT(runs.floats, 250);
    for (auto const u : {1, 2, 4}) {
        auto w = crx_test::random_composition(rng, 1);
        w.prompt_constant = 0;
        w.memory = most_memory;
        w.interval.lower = 1;
        w.interval.upper = u;
        w.output_value = {u};
        if (u > 1) w.output_value.insert(w.output_value.begin(), 1);
        w.requests = (1 << 30) - 1;
        w.output_count.assign(w.output_value.size(), 1000);
        w.output_count[0] = w.requests - (u > 1 ? 1000 : 0);
        SCOPED_TRACE(crx_test::describe(w));
        for (auto const kind : kinds) agrees(kind, w, GetParam(), rng, runs);
    }
    EXPECT_EQ(runs.none, 0);
}

TEST_P(AMinBatchTest, ARequestOfAnotherClassIsCaught)
{
    std::mt19937_64 rng(crx_test::test_seed() + 952);
    int caught = 0;
    for (int k = 0; k < 200; ++k) {
        auto const w = crx_test::random_composition(rng, 2);
        if (w.output_value.size() < 2) continue;
        caught += !agrees(kinds[k % 2], w, GetParam(), rng, runs, true);
    }
    EXPECT_GT(caught, 50);
}

TEST(LearnedLanes, SayWhereTheyDoNotApply)
{
    if (simd_level() == SimdLevel::none) GTEST_SKIP() << "a processor without AVX2";
    Workload w;
    w.requests = 1000;
    w.memory = (1 << 24) - 1;
    w.output_kind = OutputKind::composition;
    w.output_value = {5, 512};
    w.output_count = {500, 500};
    w.interval = {IntervalKind::common, 5, 512, 100, 0, 1};
    EXPECT_NE(a_min_batch(MinLength::kind, view_of(w)), nullptr);
    EXPECT_TRUE(a_min_batch_pays(MinLength::kind, view_of(w)));
    EXPECT_EQ(a_min_batch(MinLength::kind, view_of(w), SimdLevel::none), nullptr);
    ++w.memory; // floats would round it
    EXPECT_EQ(a_min_batch(MinLength::kind, view_of(w)), nullptr);
    w.memory = 512 * 512 / 40;
    EXPECT_NE(a_min_batch(MinLength::kind, view_of(w)), nullptr);
    EXPECT_FALSE(a_min_batch_pays(MinLength::kind, view_of(w)));
    EXPECT_TRUE(a_min_batch_pays(MinLengthEvict::kind, view_of(w)));
    w.memory = 2 * 512 - 1;
    EXPECT_FALSE(a_min_batch_pays(MinLengthEvict::kind, view_of(w)));
    w.memory = 600; // one at a time: too many rounds
    w.requests = 1'000'000;
    w.output_count[0] = w.requests - 500;
    EXPECT_EQ(a_min_batch(MinLength::kind, view_of(w)), nullptr);
    w.memory = (1 << 24) - 1;
    w.requests = 1 << 30; // 32 bits would not hold twice as many
    w.output_count[0] = w.requests - 500;
    EXPECT_EQ(a_min_batch(MinLength::kind, view_of(w)), nullptr);
    w.requests = 0;
    w.output_count = {0, 0};
    EXPECT_EQ(a_min_batch(MinLength::kind, view_of(w)), nullptr);
}

} // namespace
} // namespace crx
