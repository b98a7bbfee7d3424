#include "kernels/cuda/variant_times.hh"

#include "kernels/model/requests.cuh"

#include <gtest/gtest.h>

namespace crx {
namespace {

VariantTrial<Outcome> trial(std::string name, double seconds,
                            std::vector<std::int64_t> const& latencies)
{
    VariantTrial<Outcome> made{std::move(name), seconds, {}};
    for (auto const latency : latencies) {
        made.results.emplace_back();
        made.results.back().total_latency = latency;
    }
    return made;
}

TEST(FastestForm, IsTheOneThatTookTheLeastTime)
{
    std::vector<VariantTrial<Outcome>> const trials{
        trial("thread", 3, {5, 6, 7}), trial("warp", 1, {5, 6, 7}), trial("block", 2, {5, 6, 7})};
    EXPECT_EQ(fastest_variant("a-min", 0, trials), 1u);
    std::vector<VariantTrial<Outcome>> const equal{trial("thread", 2, {5}), trial("warp", 2, {5})};
    EXPECT_EQ(fastest_variant("a-min", 0, equal), 0u);
    EXPECT_EQ(fastest_variant("a-min", 0, std::vector{equal[1]}), 0u);
}

TEST(FastestForm, RefusesFormsThatDoNotAgree)
{
    std::vector<VariantTrial<Outcome>> trials{
        trial("thread", 1, {5, 6, 7}), trial("warp", 2, {5, 6, 7}), trial("block", 3, {5, 6, 7})};
    trials[2].results[1].events = 1; // a field that no tally of latencies would show
    try {
        fastest_variant("a-min", 100, trials);
        FAIL();
    } catch (std::runtime_error const& error) {
        EXPECT_STREQ(error.what(), "a-min, instance 101: the variants 'thread' and 'block' of its "
                                   "kernel do not agree; one of them is wrong");
    }
}

TEST(UnmeasuredForm, HasTheMostThreads)
{
    EXPECT_EQ(unmeasured_variant(std::vector{1, 32, 8}), 1u);
    EXPECT_EQ(unmeasured_variant(std::vector{1, 1}), 1u);
    EXPECT_EQ(unmeasured_variant(std::vector{1, 32, 32, 8}), 2u);
    EXPECT_EQ(unmeasured_variant(std::vector{1}), 0u);
}

TEST(TrialSize, GrowsUntilTheGpuIsFull)
{
    constexpr std::int64_t full = 50000;
    EXPECT_EQ(trial_size(1023, full, {}), 0);
    EXPECT_EQ(trial_size(1024, full, {}), 1024);
    EXPECT_EQ(trial_size(49999, full, {}), 49999);
    EXPECT_EQ(trial_size(1000000, full, {}), full);
    VariantTimes::Entry const small{1, 2000}, filled{0, full};
    EXPECT_EQ(trial_size(500, full, small), 0);
    EXPECT_EQ(trial_size(7999, full, small), 0);
    EXPECT_EQ(trial_size(8000, full, small), 8000);
    EXPECT_EQ(trial_size(1000000, full, small), full);
    EXPECT_EQ(trial_size(1000000, full, filled), 0);
    EXPECT_EQ(trial_size(1000000, 384, {}), 1024); // a small GPU
    EXPECT_EQ(trial_size(1000000, 384, VariantTimes::Entry{0, 1024}), 0);
    EXPECT_EQ(trial_size(0, full, {}), 0);
}

// A sweep's first chunks are of 1, 16 and 256 instances.
TEST(ComparedSize, Reaches128WhateverTheChunks)
{
    EXPECT_EQ(compared_size(500, {}), 128);
    EXPECT_EQ(compared_size(1, {}), 1);
    EXPECT_EQ(compared_size(16, VariantTimes::Entry{1, 0, 1}), 16);
    EXPECT_EQ(compared_size(256, VariantTimes::Entry{1, 0, 17}), 111);
    EXPECT_EQ(compared_size(256, VariantTimes::Entry{1, 0, 128}), 0);
    EXPECT_EQ(compared_size(256, VariantTimes::Entry{1, 5000, 5000}), 0);
    // What was compared was not measured.
    EXPECT_EQ(trial_size(4096, 50000, VariantTimes::Entry{1, 0, 128}), 4096);
}

TEST(VariantTimes, AreKeptByKey)
{
    VariantTimes measured;
    EXPECT_FALSE(measured.find("a-min, small"));
    measured.put("a-min, small", {1, 2000});
    EXPECT_EQ(measured.find("a-min, small")->variant, 1u);
    measured.put("a-min, small", {0, 8000});
    EXPECT_EQ(measured.find("a-min, small")->variant, 0u);
    EXPECT_EQ(measured.find("a-min, small")->instances, 8000);
    EXPECT_FALSE(measured.find("a-min, large"));
}

} // namespace
} // namespace crx
