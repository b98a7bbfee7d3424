// What bounds the engines of a GPU that do not stop half-way (docs/decisions/130).
#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/jaillet_instances.hh"
#include "kernels/engines/a_min/one_instance_engine.cuh"
#include "kernels/engines/cell.hh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"
#include "support/logged_run.hh"
#include "support/owned_instance.hh"
#include "support/random_instance.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

std::vector<std::string> gpu_engines(Workload const& workload, PolicyKind kind, RandomLaw law)
{
    Cell cell{workload, {{kind, {}}}, {false, false}, {law}};
    std::vector<std::string> names;
    CellEngines const all(cell, Processor::gpu);
    for (auto const* engine : all.runs.front().chain) names.emplace_back(engine->name);
    return names;
}

bool holds(std::vector<std::string> const& names, char const* name)
{
    return std::ranges::find(names, name) != names.end();
}

TEST(GpuBounds, RequestsAreSixtyFiveThousandAtMost)
{
    for (auto const kind : {ShortestFirst::kind, MinLength::kind, MaxLength::kind}) {
        EXPECT_TRUE(
            holds(gpu_engines(jaillet_shape(1 << 16, 1000, 35, 1), kind, RandomLaw::request),
                  "requests"));
        auto const larger = jaillet_shape((1 << 16) + 1, 1000, 35, 1);
        EXPECT_TRUE(gpu_engines(larger, kind, RandomLaw::request).empty());
        EXPECT_EQ(gpu_refusal({larger, {{kind, {}}}, {false, false}}),
                  "no GPU runs " + std::string(policy_info(kind).id) +
                      ": there are more than 65536 requests");
    }
}

TEST(GpuBounds, LanesTakeWhatEndsSoon)
{
    auto const two_point = [](std::int64_t n, Tokens memory) {
        Workload w;
        w.requests = n;
        w.memory = memory;
        w.output_kind = OutputKind::composition;
        w.output_value = {10, 100};
        w.output_count = {n / 2, n - n / 2};
        w.interval = {IntervalKind::common, 10, 100};
        return w;
    };
    for (auto const kind : {ShortestFirst::kind, MaxLength::kind}) {
        auto const* const lanes = kind == MaxLength::kind ? "a-max-batch" : "fixed-length-batch";
        auto const soon = gpu_engines(two_point(10'000, 10'000), kind, RandomLaw::cohort);
        EXPECT_TRUE(holds(soon, lanes));
        // A hundred times as many rounds: the CPU's lanes take it, a GPU's do not.
        auto const late = gpu_engines(two_point(1'000'000, 10'000), kind, RandomLaw::cohort);
        EXPECT_EQ(late, std::vector<std::string>{"cohorts"});
        Cell const cell{two_point(1'000'000, 10'000), {{kind, {}}}, {}, {RandomLaw::cohort}};
        for (auto const* engine : engines())
            if (engine->name == lanes) {
                auto const reason = engine->refusal({kind, {}}, engine_case(cell, nullptr));
                EXPECT_EQ(reason.find("longer than a launch should last") != std::string::npos,
                          engine->processor == Processor::gpu)
                    << reason;
            }
    }
}

// Past its events a warp leaves the instance; up to them it says all.
TEST(GpuBounds, AWarpLeavesAnInstanceOfManyEvents)
{
    std::mt19937_64 rng(5);
    int left = 0;
    for (std::int64_t k = 0; k < 200; ++k) {
        auto given = crx_test::random_instance(rng);
        for (auto& r : given.requests) r.arrival = 0;
        auto x = crx_test::owned(given);
        auto const run = [&](std::int64_t most_events) {
            std::vector<std::max_align_t> block(
                WaitingQueueByLength::arena_bytes(x.requests()) / sizeof(std::max_align_t) + 1);
            Arena arena(block.data(), block.size() * sizeof(std::max_align_t));
            return execute_a_min_small_by_warp(Outlived::counted, requests_of(x), 7,
                                               stream_policy +
                                                   static_cast<std::uint32_t>(MinLength::kind),
                                               1, {}, arena, most_events);
        };
        auto const whole = run(most_warp_events);
        ASSERT_TRUE(whole);
        EXPECT_EQ(run(whole->events), whole);
        EXPECT_FALSE(run(whole->events / 2));
        left += whole->events > 20;
    }
    EXPECT_GE(left, 20);
}

} // namespace
} // namespace crx
