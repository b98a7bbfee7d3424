#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "support/random_composition.hh"
#include "support/run_cohort.hh"
#include "support/test_seed.hh"
#include "support/two_sample.hh"
#include "support/with_replacement.hh"

#include <functional>
#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::distance;
using crx_test::mean_distance;
using crx_test::Totals;

Totals totals_of(std::int64_t first, std::int64_t runs, auto run)
{
    Totals totals;
    for (auto k = first; k < first + runs; ++k) ++totals[run(k).total_latency];
    return totals;
}

struct Compared
{
    PolicyKind kind;
    std::int64_t most_requests;
    int compositions;
    std::int64_t runs;
    Learns learns = Learns::reached;
};

// H0: cohort and request engine have one law of total latency. Different instances, so the samples
// are independent. False alarm 2e-9 a composition, 6e-7 for the 300 of all tests here.
void compare(Compared const& c)
{
    std::mt19937_64 rng(crx_test::test_seed() + 100 + static_cast<std::uint64_t>(c.kind));
    for (int trial = 0; trial < c.compositions; ++trial) {
        auto spec = crx_test::random_spec(rng, c.kind);
        spec.learns = c.learns;
        auto const workload = crx_test::random_composition(rng, 1 + trial % 12, c.most_requests);
        SCOPED_TRACE(crx_test::describe(workload));
        auto const requests =
            totals_of(0, c.runs, [&](auto k) { return crx_test::by_requests(spec, workload, k); });
        auto const cohorts = totals_of(
            c.runs, c.runs, [&](auto k) { return crx_test::by_cohorts(spec, workload, k); });
        EXPECT_LT(distance(requests, cohorts), 1);
        EXPECT_LT(mean_distance(requests, cohorts), 1);
    }
}

TEST(CohortEngineInLaw, PlanningWithUpper)
{
    compare({MaxLength::kind, 30, 30, 6000});
    compare({MaxLength::kind, 600, 20, 800});
}
TEST(CohortEngineInLaw, PromotingFromLower)
{
    compare({PromoteLower::kind, 30, 30, 6000});
    compare({PromoteLower::kind, 600, 20, 800});
}
TEST(CohortEngineInLaw, Ladder)
{
    compare({Ladder::kind, 30, 30, 6000});
    compare({Ladder::kind, 600, 20, 800});
}
TEST(CohortEngineInLaw, RandomOrder)
{
    compare({RandomOrder::kind, 30, 30, 6000});
    compare({RandomOrder::kind, 600, 20, 800});
}

TEST(CohortEngineInLaw, LearningFromBelow)
{
    compare({MinLength::kind, 30, 30, 6000});
    compare({MinLength::kind, 600, 20, 800});
}
TEST(CohortEngineInLaw, LearningFromBelowSecondReading)
{
    compare({MinLengthEvict::kind, 30, 30, 6000});
    compare({MinLengthEvict::kind, 600, 20, 800});
}

// What is learnt by a cancellation at g tokens is g + 1.
TEST(CohortEngineInLaw, LearningWhatIsExceeded)
{
    for (auto const kind : {MinLength::kind, MinLengthEvict::kind}) {
        compare({kind, 30, 30, 6000, Learns::exceeded});
        compare({kind, 600, 20, 800, Learns::exceeded});
    }
}

// Two-point, 200 requests, 100 at a time: draws with replacement spread the first group too far.
// For a-min the same fault is caught by period (cohort_period_test.cc); its total hardly moves.
TEST(CohortEngineInLaw, DrawsWithReplacementAreCaught)
{
    Workload w;
    w.seed = crx_test::test_seed();
    w.output_kind = OutputKind::composition;
    w.requests = 200;
    w.output_value = {5, 20};
    w.output_count = {100, 100};
    w.interval = {IntervalKind::common, 5, 20, 100, 0, 1};
    for (auto const kind : {MaxLength::kind, PromoteLower::kind}) {
        PolicySpec const spec{kind, {}};
        w.memory = kind == MaxLength::kind ? 2000 : 500;
        auto const requests =
            totals_of(0, 4000, [&](auto k) { return crx_test::by_requests(spec, w, k); });
        auto const right =
            totals_of(4000, 4000, [&](auto k) { return crx_test::by_cohorts(spec, w, k); });
        std::vector<std::max_align_t> block(1 << 16);
        auto const wrong = totals_of(4000, 4000, [&](auto k) {
            Arena arena(block.data(), block.size() * sizeof(std::max_align_t));
            auto const composition = take_composition(arena, view_of(w), w.output_count.data());
            WordStream const words(w.seed, 16, static_cast<std::uint64_t>(k));
            auto const lengths = kind == MaxLength::kind ? working_lengths(MaxLength{}, 5, 20)
                                                         : working_lengths(PromoteLower{}, 5, 20);
            HiddenLengthsEngine<crx_test::WithReplacement> engine(lengths, composition, 2, 21,
                                                                  words, arena);
            return engine.execute();
        });
        EXPECT_LT(distance(requests, right), 1);
        EXPECT_GT(distance(requests, wrong), 1);
    }
}

} // namespace
} // namespace crx
