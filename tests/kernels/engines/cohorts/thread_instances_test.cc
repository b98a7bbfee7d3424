#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "support/lane_agreement.hh"
#include "support/large_composition.hh"
#include "support/test_seed.hh"
#include "support/thread_lanes.hh"

#include <gtest/gtest.h>

// The engines in lanes as the threads of a GPU run them, on a model of a warp.

namespace crx {
namespace {

using crx_test::LaneRuns;
using crx_test::pick_between;

PolicySpec const a_max{MaxLength::kind, {}};
PolicySpec const mc_sf{ShortestFirst::kind, {}};
PolicySpec const a_ell{PromoteLower::kind, {}};

std::unique_ptr<InstanceBatch> threads_of(PolicySpec const& spec, WorkloadView const& w,
                                          std::int64_t near_bytes)
{
    return spec.kind == MaxLength::kind ? crx_test::thread_a_max_batch(w, near_bytes)
                                        : crx_test::thread_fixed_length_batch(spec, w, near_bytes);
}

/// `runs` counts which of them were in floats, by the numbers that fit.
bool agrees(PolicySpec const& spec, Workload const& w, std::int64_t near_bytes,
            std::mt19937_64& rng, LaneRuns& runs, bool planted = false)
{
    auto const view = view_of(w);
    auto const fit =
        spec.kind == MaxLength::kind ? a_max_batch_fit(view) : fixed_length_batch_fit(spec, view);
    return crx_test::lanes_agree(spec, w, threads_of(spec, view, near_bytes).get(),
                                 fit == LaneFit::floats ? 32 : 0, rng, runs, planted);
}

/// Fast memory of a warp: next to nothing, so that places move, up to enough for all.
std::int64_t some_bytes(std::mt19937_64& rng)
{
    return std::int64_t{1} << pick_between(rng, 10, 16);
}

Workload times(Workload w, std::int64_t most, std::mt19937_64& rng)
{
    auto const factor = pick_between(rng, 1, most);
    w.memory = w.memory * factor + pick_between(rng, 0, factor - 1);
    w.requests = 0;
    for (auto& count : w.output_count) {
        count *= pick_between(rng, 1, factor);
        w.requests += count;
    }
    return w;
}

/// Compositions of two classes, and of up to `classes` as every third.
void run_all(PolicySpec const& spec, int workloads, int classes, std::int64_t most_times,
             std::uint64_t seed, LaneRuns& runs)
{
    std::mt19937_64 rng(crx_test::test_seed() + seed);
    for (int k = 0; k < workloads && !testing::Test::HasFailure(); ++k) {
        auto w = times(
            crx_test::random_composition(rng, k % 3 == 0 ? classes : 2, k % 10 == 0 ? 6000 : 200),
            most_times, rng);
        if (w.requests == 0 || w.requests >= (std::int64_t{1} << 32) - 1) continue;
        if (spec.kind == PromoteLower::kind) crx_test::keep_ends(w, rng);
        SCOPED_TRACE(crx_test::describe(w));
        agrees(spec, w, some_bytes(rng), rng, runs);
    }
}

// However little memory is near, two places stay there: a ring of one has no next place.
TEST(ThreadLanes, RingsNearAThreadHaveTwoPlacesOrMore)
{
    EXPECT_EQ(near_ring(0, 8, 16), 2);
    EXPECT_EQ(near_ring(8, 8, 16), 2);
    EXPECT_EQ(near_ring(64, 8, 16), 8);
    EXPECT_EQ(near_ring(1 << 20, 8, 16), 16);
}

// Each policy on compositions, a third of them of many classes; of up to 200 requests,
// and of up to 6,000.
TEST(ThreadLanes, EqualTheEngineAlone)
{
    LaneRuns runs;
    run_all(a_max, 300, 8, 1, 0, runs);
    run_all(mc_sf, 2000, 20, 1, 1, runs);
    run_all(a_ell, 2000, 2, 1, 2, runs);
    EXPECT_GT(runs.floats, 3000);
}

// Memory near the limits of floats, products far beyond them, some where rounding hides what limits
// most.
TEST(ThreadLanes, EqualTheEngineAloneUpToTheLimitsOfFloats)
{
    std::mt19937_64 rng(crx_test::test_seed() + 8);
    LaneRuns runs;
    for (int k = 0; k < 60 && !HasFailure(); ++k)
        for (auto const& spec : {a_max, mc_sf, a_ell}) {
            bool const hidden = spec.kind == PromoteLower::kind;
            auto near = crx_test::large_composition(rng, 4, {24, 7, 7});
            if (hidden) crx_test::keep_ends(near, rng);
            for (auto const& w : {near, spec.kind == MaxLength::kind
                                            ? crx_test::hidden_quotient_of_a_max(rng)
                                            : crx_test::hidden_quotient_of_ends(rng, hidden)}) {
                SCOPED_TRACE(crx_test::describe(w));
                agrees(spec, w, some_bytes(rng), rng, runs);
            }
        }
    EXPECT_GT(runs.floats, 200);
}

// The same with n and M up to a few million times as large, beyond what floats hold.
TEST(ThreadLanes, EqualTheEngineAloneInDoubles)
{
    LaneRuns runs;
    run_all(a_max, 100, 8, 4'000'000, 3, runs);
    run_all(mc_sf, 700, 20, 4'000'000, 4, runs);
    run_all(a_ell, 700, 2, 4'000'000, 5, runs);
    EXPECT_GT(runs.doubles, 700);
}

TEST(ThreadLanes, ARequestOfAnotherClassIsCaught)
{
    std::mt19937_64 rng(crx_test::test_seed() + 6);
    LaneRuns runs;
    int caught = 0;
    for (int k = 0; k < 200; ++k) {
        auto const w = crx_test::random_composition(rng, 2);
        if (w.output_value.size() < 2) continue;
        for (auto const& spec : {a_max, mc_sf})
            caught += !agrees(spec, w, some_bytes(rng), rng, runs, true);
    }
    EXPECT_GT(caught, 100);
}

// Places that do not fit into fast memory move, and the next instance begins there again.
TEST(ThreadLanes, PlacesMoveAndComeBack)
{
    std::mt19937_64 rng(crx_test::test_seed() + 7);
    LaneRuns runs;
    int moved[3] = {};
    for (int k = 0; k < 30; ++k) {
        Workload w;
        w.seed = static_cast<std::uint64_t>(k);
        w.requests = pick_between(rng, 300, 900);
        w.memory = pick_between(rng, 400, 4000);
        w.output_kind = OutputKind::composition;
        w.output_value = {10, 100};
        w.output_count = {w.requests / 2, w.requests - w.requests / 2};
        w.interval = {IntervalKind::common, 10, 100, 100, 0, 1};
        for (auto const& spec : {a_max, mc_sf, a_ell})
            for (int b = 0; b < 3; ++b) {
                auto const threads = threads_of(spec, view_of(w), std::int64_t{1} << 10 * b);
                crx_test::lanes_agree(spec, w, threads.get(), 32, rng, runs);
                moved[b] += crx_test::instances_moved(*threads);
            }
    }
    EXPECT_EQ(runs.floats, 270);
    EXPECT_GT(moved[0], 300);
    EXPECT_GT(moved[0], moved[1]);
    EXPECT_EQ(moved[2], 0);
}

} // namespace
} // namespace crx
