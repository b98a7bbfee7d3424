#include "kernels/backends/cpu/cohort_share.hh"

#include "kernels/engines/cohorts/instance_batch.hh"
#include "support/run_cohort.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

/// Outputs 3 or 9, each with probability a half; l = 3, u = 9.
Cell two_point_cell()
{
    Cell cell;
    auto& w = cell.workload;
    w.seed = crx_test::test_seed();
    w.requests = 400;
    w.memory = 120;
    w.prompt_constant = 1;
    w.output_value = {3, 9};
    w.output_threshold = {std::uint64_t{1} << 63};
    w.interval = {IntervalKind::common, 3, 9, 100, 0, 1};
    for (auto const kind : {PolicyKind::a_max, PolicyKind::a_ell, PolicyKind::a_min,
                            PolicyKind::mc_sf, PolicyKind::mc_sf_total})
        cell.policies.push_back({kind, {}});
    cell.engines.assign(cell.policies.size(), EngineKind::cohort);
    return cell;
}

// Groups begin anywhere in a range whose length no number of lanes divides.
TEST(CohortShare, GroupsEqualTheEngineAlone)
{
    auto const cell = two_point_cell();
    CohortShare share(cell), alone(cell);
    if (simd_level() == SimdLevel::none)
        EXPECT_EQ(share.lanes(), 1);
    else
        EXPECT_GT(share.lanes(), 1);
    share.expect({7, 43});
    for (std::int64_t k = 7; k < 50; ++k) {
        share.draw_counts(k);
        alone.draw_counts(k); // expects nothing, so it runs nothing in lanes
        for (auto const& spec : cell.policies)
            EXPECT_EQ(share.execute(spec, k), alone.execute(spec, k)) << k;
    }
}

TEST(CohortShare, APolicyThatIsRunAloneKeepsBlocksSmall)
{
    auto cell = two_point_cell();
    cell.policies.push_back({PolicyKind::a_random, {}});
    cell.engines.push_back(EngineKind::cohort);
    EXPECT_EQ(CohortShare(cell).lanes(), 1);
}

} // namespace
} // namespace crx
