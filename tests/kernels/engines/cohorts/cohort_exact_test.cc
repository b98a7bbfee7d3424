#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "support/random_composition.hh"
#include "support/run_cohort.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::by_cohorts;
using crx_test::by_requests;

/// All fields but `events`: how often an engine stops is its own affair.
void expect_equal(Outcome cohorts, Outcome const& requests)
{
    cohorts.events = requests.events;
    EXPECT_EQ(cohorts.total_latency, requests.total_latency);
    EXPECT_EQ(cohorts.makespan, requests.makespan);
    EXPECT_EQ(cohorts.peak_memory, requests.peak_memory);
    EXPECT_EQ(cohorts.cancellations, requests.cancellations);
    EXPECT_EQ(cohorts.wasted_tokens, requests.wasted_tokens);
    EXPECT_EQ(cohorts, requests);
}

void compare(PolicyKind kind, std::int64_t classes, int instances)
{
    std::mt19937_64 rng(crx_test::test_seed() + static_cast<std::uint64_t>(kind));
    for (int k = 0; k < instances && !testing::Test::HasFailure(); ++k) {
        auto const workload = crx_test::random_composition(rng, classes);
        SCOPED_TRACE(crx_test::describe(workload));
        auto const spec = crx_test::random_spec(rng, kind);
        expect_equal(by_cohorts(spec, workload, k), by_requests(spec, workload, k));
    }
}

// Nothing is random in mc-sf: 6,000 compositions of up to 8 classes and 2,000 of up to 60.
TEST(CohortEngine, ShortestFirstEqualsTheRequestEngine)
{
    compare(ShortestFirst::kind, 8, 6000);
    compare(ShortestFirst::kind, 60, 2000);
    compare(ShortestTotalFirst::kind, 8, 2000);
}

// One class: nothing is left to chance, whatever a policy does not know.
TEST(CohortEngine, OneClassEqualsTheRequestEngine)
{
    for (auto const kind : {ShortestFirst::kind, RandomOrder::kind, MaxLength::kind,
                            PromoteLower::kind, Ladder::kind})
        compare(kind, 1, 4000);
}

// n = 10^8 and M = 10^7: every round is settled by counts. The volume bound holds, memory is full
// and the makespan is at most twice the volume's.
TEST(CohortEngine, HundredMillionRequests)
{
    Workload w;
    w.output_kind = OutputKind::composition;
    w.requests = 100'000'000;
    w.memory = 10'000'000;
    w.output_value = {10, 100};
    w.output_count = {w.requests / 2, w.requests / 2};
    auto const outcome = by_cohorts({ShortestFirst::kind, {}}, w, 0);
    auto const volume = w.requests / 2 * (10 * 11 + 100 * 101) / 2;
    EXPECT_EQ(outcome.peak_memory, w.memory);
    EXPECT_GE(outcome.makespan * w.memory, volume);
    EXPECT_LE(outcome.makespan * w.memory, 2 * volume);
    EXPECT_LT(cohort_bytes({ShortestFirst::kind, {}}, view_of(w)), 1 << 20);
}

TEST(CohortEngine, SaysWhereItDoesNotApply)
{
    std::mt19937_64 rng(1);
    auto workload = crx_test::random_composition(rng, 8);
    PolicySpec const h_sf{ShortestFirst::kind, {}}, a_max{MaxLength::kind, {}};
    EXPECT_NE(cohort_refusal({ArrivalOrder::kind, {}}, view_of(workload)), "");
    EXPECT_EQ(cohort_refusal(h_sf, view_of(workload)), "");
    workload.interval.kind = IntervalKind::buckets;
    EXPECT_EQ(cohort_refusal(h_sf, view_of(workload)), "");
    EXPECT_EQ(cohort_refusal(a_max, view_of(workload)),
              "prediction intervals differ between requests");
    workload.prompt_kind = PromptKind::table;
    EXPECT_EQ(cohort_refusal(h_sf, view_of(workload)), "prompts differ");
    workload.output_kind = OutputKind::trace;
    EXPECT_EQ(cohort_refusal(h_sf, view_of(workload)), "output lengths come from a trace");
}

} // namespace
} // namespace crx
