#include "analysis/laws/discrete_laws.hh"
#include "kernels/cpu/policy_run.hh"
#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <gtest/gtest.h>
#include <numeric>

namespace crx {
namespace {

Cell cohort_cell(std::vector<PolicyKind> const& kinds)
{
    Cell cell;
    auto& w = cell.workload;
    w.seed = 11;
    w.requests = 90;
    w.memory = 120;
    w.prompt_constant = 1;
    auto const law = uniform_law(2, 9);
    w.output_value = law.value;
    w.output_threshold = law.threshold;
    w.interval = {IntervalKind::common, 2, 9, 100, 0, 1};
    for (auto const kind : kinds) {
        cell.policies.push_back({kind, {}});
        cell.laws.push_back(RandomLaw::cohort);
    }
    return cell;
}

Tally one_by_one(Cell const& cell, InstanceRange range)
{
    Tally tally(cell.policies.size());
    Cell h_sf = cell;
    h_sf.policies.push_back({ShortestFirst::kind, {}});
    h_sf.laws.push_back(cell.laws.front());
    for (auto number = range.first; number < range.first + range.count; ++number) {
        CellReplay replay(h_sf, number);
        std::int64_t const baselines[baseline_kinds] = {
            replay.execute(cell.policies.size()).outcome.total_latency};
        for (std::size_t k = 0; k < cell.policies.size(); ++k) {
            auto const outcome = replay.execute(k).outcome;
            tally[k].sums.add(outcome, baselines, number);
            ++tally[k]
                  .histogram[0][histogram_bin(fixed_ratio(outcome.total_latency, baselines[0]))];
        }
    }
    return tally;
}

// A chunk of a cell run by cohorts is the sum of its replays, for all policies and for a few of
// them beside one run request by request.
TEST(CohortCell, IsTheSumOfItsReplays)
{
    auto cell = cohort_cell({MaxLength::kind, MinLength::kind, MinLengthEvict::kind,
                             PromoteLower::kind, RandomOrder::kind, ShortestTotalFirst::kind});
    cell.baseline[1] = false;
    EXPECT_EQ(launch_host(cell, {7, 40}), one_by_one(cell, {7, 40}));
    cell.policies.push_back({ArrivalOrder::kind, {}});
    cell.laws.push_back(RandomLaw::request);
    EXPECT_EQ(launch_host(cell, {7, 40}), one_by_one(cell, {7, 40}));
}

// Beside a policy that is run request by request all policies see the generated instance: H-SF and
// the volume bound are those of the request path.
TEST(CohortCell, MixedEnginesSeeOneInstance)
{
    auto mixed = cohort_cell({ShortestFirst::kind, ArrivalOrder::kind});
    mixed.laws[1] = RandomLaw::request;
    auto requests = mixed;
    requests.laws.clear();
    auto left = launch_host(mixed, {0, 50}), right = launch_host(requests, {0, 50});
    for (auto* tally : {&left, &right})
        for (auto& policy : *tally) policy.sums.events = 0; // an engine's own affair
    EXPECT_EQ(left, right);
}

TEST(CohortCell, TimelineEndsEmptyAndHoldsThePeak)
{
    for (auto const kind : {ShortestFirst::kind, RandomOrder::kind, MaxLength::kind,
                            PromoteLower::kind, MinLength::kind, MinLengthEvict::kind}) {
        auto const cell = cohort_cell({kind});
        auto const run = CellReplay(cell, 3).execute(0);
        ASSERT_FALSE(run.timeline.empty());
        EXPECT_EQ(run.timeline.back().active + run.timeline.back().waiting, 0);
        EXPECT_EQ(run.timeline.back().time, run.outcome.makespan);
        Tokens peak = 0;
        for (auto const& point : run.timeline) {
            EXPECT_LE(point.active + point.waiting, cell.workload.requests);
            peak = std::max(peak, point.held);
        }
        EXPECT_EQ(peak, run.outcome.peak_memory);
        EXPECT_TRUE(run.start.empty());
    }
}

} // namespace
} // namespace crx
