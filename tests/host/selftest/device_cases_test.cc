#include "host/selftest/selftest_cases.hh"
#include "kernels/engines/a_min/one_instance_engine.cuh"
#include "kernels/engines/lists/warp_list.cuh"
#include "kernels/policies/registry.cuh"

#include <gtest/gtest.h>

namespace crx {
namespace {

/// Of so many instances, how many fit the lanes under mc-sf and under a-min.
struct Fitting
{
    int listed = 0, learnt = 0;
};

Fitting fitting(SelftestCase const& test, std::int64_t instances)
{
    Fitting found;
    for (std::int64_t k = 0; k < instances; ++k) {
        auto x = selftest_instance(test, k);
        std::vector<std::max_align_t> block(
            WaitingQueueByLength::arena_bytes(x.requests()) / sizeof(std::max_align_t) + 1);
        Outcome outcome;
        auto const number = static_cast<std::uint64_t>(k);
        Arena list(block.data(), block.size() * sizeof(std::max_align_t)), few = list;
        found.listed += execute_list_in_lanes(ShortestFirst{}, requests_of(x), test.workload.seed,
                                              number, list, nullptr, outcome);
        found.learnt +=
            execute_a_min_small_by_warp(Outlived::counted, requests_of(x), test.workload.seed,
                                        stream_policy, number, {}, few)
                .has_value();
    }
    return found;
}

TEST(DeviceCases, OfPathsHaveTokensInEveryRequest)
{
    for (auto const& test : path_cases())
        for (auto const& type : test.cell.types) {
            EXPECT_GE(type.prompt, 1) << test.name;
            EXPECT_GE(type.output, 1) << test.name;
        }
}

// What the names of the cases say: a GPU's self-test meets instances that fit a warp's lanes, some
// that do not, and both in one batch.
TEST(DeviceCases, FitTheLanesAsTheySay)
{
    constexpr int count = 40;
    for (auto const& test : selftest_device_cases()) {
        SCOPED_TRACE(test.name);
        auto const found = fitting(test, count);
        if (test.fits_warps) {
            EXPECT_EQ(found.listed, count);
            EXPECT_EQ(found.learnt, count);
        } else if (test.name == "more ends than lanes") {
            EXPECT_EQ(found.listed, 0);
        } else {
            EXPECT_EQ(found.listed, count);
            EXPECT_GT(found.learnt, 0);
            EXPECT_LT(found.learnt, count);
        }
    }
}

// Every policy takes them: a GPU is held to what the CPU says of them.
TEST(DeviceCases, AreRunByEveryPolicy)
{
    for (auto const& test : selftest_device_cases()) {
        Cell const cell{test.workload, selftest_policies(test), {true, true}};
        for (auto const& tally : launch_host(cell, {0, 2})) {
            auto const& sums = tally.sums;
            EXPECT_EQ(sums.count + sums.unfinished, 2);
        }
    }
}

} // namespace
} // namespace crx
