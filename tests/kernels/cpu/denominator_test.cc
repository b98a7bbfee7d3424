#include "kernels/engines/cell.hh"
#include "kernels/policies/shortest_first.cuh"
#include "support/latency_near_limit.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

/// Two requests with prompt 9 and five without, M = 10, the trace of a cell. In rounds mc-sf takes
/// 1 + 2 + 5 x 4 = 23, mc-sf-total 5 x 2 + 3 + 4 = 17; of them 2^62 is the 20th part of a round.
Cell long_rounds()
{
    Cell cell;
    auto& w = cell.workload;
    w.requests = 7;
    w.memory = 10;
    w.output_kind = OutputKind::trace;
    w.prompt_kind = PromptKind::trace;
    w.trace_order = TraceOrder::in_order;
    w.trace_prompt = {9, 9, 0, 0, 0, 0, 0};
    w.trace_output = {1, 1, 2, 2, 2, 2, 2};
    w.source_end = {7};
    w.source_count = {7};
    w.clock = {ClockKind::affine, time_limit / 20, 0, 0, 0};
    cell.baseline[static_cast<int>(BaselineKind::h_sf)] = false;
    cell.baseline[static_cast<int>(BaselineKind::volume)] = false;
    cell.baseline[static_cast<int>(BaselineKind::mc_sf)] = true;
    return cell;
}

// A total of a run that was given up is nobody's denominator, whether the policy is asked for too,
// before or behind, or only as a baseline.
TEST(Denominator, IsNoneWhereShortestFirstDoesNotFinish)
{
    PolicySpec const total{ShortestTotalFirst::kind, {}}, mc_sf{ShortestFirst::kind, {}};
    for (auto const& policies : {std::vector{total}, {total, mc_sf}, {mc_sf, total}}) {
        auto cell = long_rounds();
        cell.policies = policies;
        auto const tally = launch_host(cell, {0, 3});
        for (std::size_t k = 0; k < policies.size(); ++k) {
            auto const& sums = tally[k].sums;
            auto const in_range = policies[k].kind == ShortestTotalFirst::kind;
            EXPECT_EQ(sums.count, in_range ? 3 : 0);
            EXPECT_EQ(sums.unfinished_by[static_cast<int>(Unfinished::out_of_range)],
                      in_range ? 0 : 3);
            if (in_range) {
                EXPECT_TRUE(sums.latency == 3 * 17 * static_cast<Unsigned128>(time_limit / 20));
            }
            auto const mc_sf_at = static_cast<int>(BaselineKind::mc_sf);
            EXPECT_TRUE(sums.ratio[mc_sf_at].baseline_sum == 0);
            EXPECT_TRUE(tally[k].histogram[mc_sf_at].empty());
        }
    }
    auto cell = long_rounds();
    cell.policies = {total};
    cell.workload.clock.d0 = time_limit / 24;
    auto const ratio =
        launch_host(cell, {0, 1}).front().sums.ratio[static_cast<int>(BaselineKind::mc_sf)];
    EXPECT_TRUE(ratio.baseline_sum == 23 * static_cast<Unsigned128>(time_limit / 24));
}

// By cohorts, and request by request under the unit clock: a total beyond 2^62 is no h-sf either.
TEST(Denominator, IsNoneWhereItWouldHaveWrapped)
{
    for (auto const engine : {RandomLaw::cohort, RandomLaw::request}) {
        Cell cell;
        cell.workload = crx_test::OneByOne{2'000'000'000, INT32_MAX, 145'000}.workload();
        cell.policies = {{ShortestFirst::kind, {}}, {ShortestTotalFirst::kind, {}}};
        cell.laws = {engine, engine};
        for (auto const& policy : launch_host(cell, {0, 1})) {
            EXPECT_EQ(policy.sums.unfinished_by[static_cast<int>(Unfinished::out_of_range)], 1);
            for (auto const& ratio : policy.sums.ratio) EXPECT_TRUE(ratio.baseline_sum == 0);
        }
    }
}

} // namespace
} // namespace crx
