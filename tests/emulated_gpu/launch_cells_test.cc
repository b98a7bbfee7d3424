#include "analysis/laws/jaillet_instances.hh"
#include "emulated_gpu/fresh_gpu.hh"
#include "emulated_gpu/launch.hh"
#include "host/selftest/selftest_cases.hh"
#include "host/sweep/backend.hh"
#include "kernels/cuda/autotune.cuh"
#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_array.cuh"
#include "kernels/cuda/gpu_times.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <set>
#include <thread>

namespace crx {
namespace {

using EmulatedLaunch = crx_test::FreshGpu;

/// Some of the self-test's cases, by the beginning of their names.
std::vector<SelftestCase> cases(std::vector<SelftestCase> const& all,
                                std::vector<std::string> const& names)
{
    std::vector<SelftestCase> some;
    for (auto const& test : all)
        for (auto const& name : names)
            if (test.name.starts_with(name)) some.push_back(test);
    EXPECT_EQ(some.size(), names.size());
    return some;
}

/// `cohorts` alone, each other engine where it takes a policy, and all compared.
GpuChoice const by_cohorts_choices[] = {
    {"portable"}, {"a-max-batch"}, {"fixed-length-batch"}, {"", true}};

Cell by_requests(SelftestCase const& test)
{
    return {test.workload, selftest_policies(test), {true, true}};
}

/// Under all policies that can be run by cohorts on these instances.
Cell by_cohorts(SelftestCase const& test)
{
    Cell cell{test.workload, {}, {true, true}};
    for (auto const& spec : selftest_policies(test))
        if (cohort_refusal(spec, view_of(cell.workload)).empty()) cell.policies.push_back(spec);
    cell.laws.assign(cell.policies.size(), RandomLaw::cohort);
    EXPECT_GE(cell.policies.size(), 4u) << test.name;
    return cell;
}

/// How many launches it took to get the host's tallies.
std::int64_t expect_hosts_tallies(Cell const& cell, InstanceRange range, std::string const& what)
{
    auto const before = emulated::launches();
    EXPECT_EQ(launch_device(cell, range), launch_host(cell, range))
        << what << ", " << range.count << " from " << range.first;
    return emulated::launches() - before;
}

// Around a warp, a block of 64 (sums) and of 128.
TEST_F(EmulatedLaunch, AnyNumberOfInstances)
{
    auto const few = cases(selftest_cases(), {"exact fits", "varying prompts, buckets"});
    for (auto const& test : few)
        for (std::int64_t const count : {1, 2, 31, 33, 64, 65, 127, 129, 257}) {
            auto cell = by_requests(test);
            cell.gpu_choice = {"portable"};
            expect_hosts_tallies(cell, {count * 7, count}, test.name);
            if (test.workload.output_kind != OutputKind::composition) continue;
            for (auto const& choice : by_cohorts_choices) {
                cell = by_cohorts(test);
                cell.gpu_choice = choice;
                expect_hosts_tallies(cell, {count * 7, count}, test.name + ", by cohorts");
            }
        }
}

TEST_F(EmulatedLaunch, PartsAddUpToTheWhole)
{
    auto cell = by_requests(cases(selftest_cases(), {"no prompts"}).front());
    cell.policies.resize(1);
    cell.gpu_choice = {"portable"};
    cell.gpu_choice.batch_instances = 1500;
    auto const whole = expect_hosts_tallies(cell, {5, 1500}, "one batch");
    cell.gpu_choice.batch_instances = 400;
    EXPECT_EQ(expect_hosts_tallies(cell, {5, 1500}, "four batches"), 4 * whole);
}

TEST_F(EmulatedLaunch, NoInstancesAreNoLaunch)
{
    auto const cell = by_requests(selftest_cases().front());
    EXPECT_EQ(expect_hosts_tallies(cell, {3, 0}, "none"), 0);
}

// More instances than a round of threads, in several blocks of sums; engines are measured.
TEST_F(EmulatedLaunch, EnoughToMeasureForms)
{
    changed_gpu().processors = 1;
    auto cell = by_requests(cases(selftest_cases(), {"no prompts"}).front());
    cell.policies = {{ShortestFirst::kind, {}}, {ArrivalOrder::kind, {}}};
    expect_hosts_tallies(cell, {11, 3000}, "by requests");
    expect_hosts_tallies(cell, {3011, 500}, "by requests, measured already");
    auto const counted = by_cohorts(cases(selftest_cases(), {"no prompts"}).front());
    expect_hosts_tallies(counted, {0, 2500}, "by cohorts");
    expect_hosts_tallies(counted, {2500, 500}, "by cohorts, measured already");
    cell.gpu_choice = {"portable"};
    expect_hosts_tallies(cell, {5, 3 * 2048 + 77}, "four blocks of sums");
}

// What mc-sf-batch loses, with more than eight ends to come, warps run, alone or with the requests
// of another policy. Without repair it is missed.
TEST_F(EmulatedLaunch, LostInstancesAreRunByWarps)
{
    for (Tokens const memory : {100, 200, 4000})
        for (auto const with_requests : {false, true}) {
            Cell cell{jaillet_shape(50, memory, 35, 7), {{ShortestFirst::kind, {}}}, {true, true}};
            if (with_requests) cell.policies.push_back({MaxLength::kind, {}});
            cell.gpu_choice = {"mc-sf-batch"};
            measure_gpu_times(true);
            expect_hosts_tallies(cell, {40, 70}, "JAILLET's shape");
            auto const times = gpu_times();
            measure_gpu_times(false);
            EXPECT_EQ(times.run, 70);
            EXPECT_GT(times.lost, 0);
            EXPECT_EQ(times.lost == times.run, memory > 100);
            cell.gpu_choice.repair = false;
            EXPECT_NE(launch_device(cell, {40, 70}), launch_host(cell, {40, 70}));
        }
}

// mc-sf with its bound, side by side or by warps, whichever random times say is the faster.
TEST_F(EmulatedLaunch, SideBySideOrByWarpsIsMeasured)
{
    changed_gpu().processors = 1;
    for (Tokens const memory : {12, 30})
        for (auto const with_requests : {false, true}) {
            Cell cell{jaillet_shape(10, memory, 7, 7), {{ShortestFirst::kind, {}}}, {true, true}};
            if (with_requests) cell.policies.push_back({MaxLength::kind, {}});
            expect_hosts_tallies(cell, {0, 300}, "few");
            expect_hosts_tallies(cell, {300, 1300}, "measured");
            expect_hosts_tallies(cell, {1600, 300}, "chosen");
        }
}

// A GPU with little memory takes several batches, with other requests in the same places.
TEST_F(EmulatedLaunch, BatchesOneAfterTheOther)
{
    for (auto const& test : cases(selftest_cases(), {"long u", "varying prompts, relative",
                                                     "Poisson", "affine clock, a rate", "JAILLET"}))
        for (auto const* const engine : {"portable", ""}) {
            auto cell = by_requests(test);
            if (*engine == '\0') cell.policies.resize(2);
            cell.gpu_choice = {engine};
            cell.gpu_choice.batch_instances = 75;
            changed_gpu().bytes = std::size_t{1} << 28;
            auto const whole = expect_hosts_tallies(cell, {2, 75}, test.name);
            changed_gpu().bytes = 640 * 1024;
            auto const cut = expect_hosts_tallies(cell, {2, 75}, test.name + ", little memory");
            EXPECT_GT(cut, whole) << test.name;
        }
}

// Warps with their arrays in device memory (past 6 KiB), a few times as many as there are.
TEST_F(EmulatedLaunch, WarpsWithArraysInDeviceMemory)
{
    changed_gpu().processors = 1;
    auto const test = cases(selftest_device_cases(), {"900 requests, exact"}).front();
    auto cell = by_requests(test);
    cell.policies = {{ShortestFirst::kind, {}}};
    for (auto const& choice : {GpuChoice{"list-schedule-warp", false, false}, {"", true}}) {
        cell.gpu_choice = choice;
        expect_hosts_tallies(cell, {4, 19}, test.name);
    }
}

TEST_F(EmulatedLaunch, AGpuWithoutMemoryPools)
{
    changed_gpu().pools = false;
    auto cell = by_cohorts(cases(selftest_cohort_cases(), {"few at a time"}).front());
    for (auto const* const engine : {"a-max-batch", "fixed-length-batch"}) {
        cell.gpu_choice = {engine};
        expect_hosts_tallies(cell, {0, 33}, engine);
    }
}

TEST_F(EmulatedLaunch, SaysWhatIsMissing)
{
    auto const cell = by_requests(cases(selftest_device_cases(), {"900 requests, exact"}).front());
    changed_gpu().bytes = 100'000; // two pages for tables
    try {
        launch_device(cell, {0, 1});
        FAIL();
    } catch (std::runtime_error const& error) {
        EXPECT_NE(std::string(error.what()).find("bytes on the device, usable are "),
                  std::string::npos)
            << error.what();
    }
    changed_gpu().present = false;
    EXPECT_EQ(find_device().name, "");
    EXPECT_EQ(find_device().reason, "no CUDA-capable device is detected");
    changed_gpu().driver = false; // CUDA says that it is too old
    EXPECT_EQ(find_device().reason, "NVIDIA's driver (libcuda.so.1) was not found");
    EXPECT_THROW(launch_device(cell, {0, 1}), std::runtime_error);
}

/// What the launches after a cell's first chunk take: bytes, and how often properties.
/// `between`: what happens after the first; empty: nothing.
emulated::Counters taken_later(Cell cell, std::function<void()> const& between = {})
{
    cell.gpu_choice.batch_instances = 3000;
    expect_hosts_tallies(cell, {0, 3000}, "the first chunk");
    if (between) between();
    auto const before = emulated::counters();
    expect_hosts_tallies(cell, {3000, 3000}, "the second");
    expect_hosts_tallies(cell, {6000, 2000}, "a smaller one");
    cell.policies.resize(1);
    cell.laws.resize(cell.laws.empty() ? 0 : 1);
    expect_hosts_tallies(cell, {0, 2000}, "another cell");
    auto const& after = emulated::counters();
    return {after.allocated - before.allocated, after.filled - before.filled,
            after.properties_asked - before.properties_asked};
}

// What was given back is taken again: a cell's second chunk, and another cell, take no new memory
// and have none filled but counters and bins. Planted and caught: arrays that are filled when they
// are taken, and a pool whose threshold is not set.
TEST_F(EmulatedLaunch, MemoryIsTakenOnce)
{
    emulated::gpu().processors = 1;
    auto const test = cases(selftest_cases(), {"no prompts"}).front();
    Cell lanes{jaillet_shape(10, 30, 7, 7), {{ShortestFirst::kind, {}}}, {true, true}};
    lanes.gpu_choice = {"mc-sf-batch"};
    auto requests = by_requests(test), cohorts = by_cohorts(test);
    requests.gpu_choice = cohorts.gpu_choice = {"portable"};
    for (auto const& cell : {requests, cohorts, lanes}) {
        auto const taken = taken_later(cell);
        EXPECT_EQ(taken.allocated, 0u);
        auto const policies = cell.policies.size();
        auto const bins = 2 * 8 * (policies * (8192 + 4096) + 4096); // of two baselines
        EXPECT_LT(taken.filled, bins + 5000);
        EXPECT_EQ(taken.properties_asked, 0u);
    }
}

// Planted: a pool that keeps nothing, and a GPU that has none.
TEST_F(EmulatedLaunch, MemoryThatIsTakenInEachChunkIsSeen)
{
    emulated::gpu().processors = 1;
    auto cell = by_requests(cases(selftest_cases(), {"no prompts"}).front());
    cell.policies.resize(1);
    cell.gpu_choice = {"portable"};
    auto const taken = taken_later(cell, [] {
        cudaMemPool_t pool = nullptr;
        ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
        std::uint64_t kept = 0;
        ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
                  cudaSuccess);
    });
    EXPECT_GT(taken.allocated, 100'000u);
    changed_gpu().pools = false;
    EXPECT_GT(taken_later(cell).allocated, 100'000u);
}

// The pool holds memory in pieces that are too small: it gives them back first.
TEST_F(EmulatedLaunch, WhatThePoolKeepsIsNotInTheWay)
{
    auto const test = cases(selftest_cases(), {"no prompts"}).front();
    auto cell = by_requests(test);
    cell.gpu_choice = {"portable"};
    changed_gpu() = {.bytes = std::size_t{4} << 20, .pool_in_pieces = true};
    for (std::int64_t const count : {3, 400, 20, 1000})
        expect_hosts_tallies(cell, {0, count}, "little memory");
}

// A kernel ends with a fault: the launch throws, and nothing on the way out does. Planted and
// caught: frees that throw.
TEST_F(EmulatedLaunch, AFaultIsAnException)
{
    for (auto const pools : {true, false})
        for (auto const& cell :
             {by_requests(cases(selftest_cases(), {"no prompts"}).front()),
              by_cohorts(cases(selftest_cohort_cases(), {"few at a time"}).front())})
            for (int after = 0; after < 20; after += 3) {
                renew({.pools = pools, .launches_to_fault = after});
                EXPECT_THROW(launch_device(cell, {0, 40}), std::runtime_error) << after;
                EXPECT_THROW(launch_device(cell, {0, 40}), std::runtime_error) << after;
                EXPECT_EQ(emulated::bytes_in_use(), 0u);
            }
}

TEST_F(EmulatedLaunch, OldGpusAndGpusThatAreNotThereAreRefused)
{
    changed_gpu().capability = 75;
    EXPECT_EQ(find_device().reason,
              "emulated GPU has compute capability 7.5, needed is 8.0 or more");
    EXPECT_THROW(launch_device(by_requests(selftest_cases().front()), {0, 1}), std::runtime_error);
    changed_gpu() = {.gpus = 2};
    choose_device(1);
    EXPECT_EQ(find_device().name, "emulated GPU");
    choose_device(2);
    EXPECT_EQ(find_device().reason, "there is no device 2, the last one is 1");
}

// Processes of a machine with three GPUs take one after the other; one on which there is none takes
// number 0, so that the reason is said of that.
TEST_F(EmulatedLaunch, RanksOfAMachineTakeItsGpusInTurn)
{
    changed_gpu() = {.gpus = 3};
    for (int const rank : {0, 1, 2, 3, 7}) {
        choose_device_of_place(rank);
        EXPECT_EQ(use_device().number, rank % 3) << rank;
    }
    changed_gpu().present = false;
    choose_device_of_place(2);
    EXPECT_FALSE(find_device().reason.empty());
    changed_gpu() = {};
    choose_device(0);
    EXPECT_EQ(use_device().number, 0);
}

// More than the page-locked memory holds, and around it. Planted and caught: every piece from the
// first one's place.
TEST_F(EmulatedLaunch, ArraysComeBackInPieces)
{
    use_device();
    constexpr std::size_t piece = std::size_t{1} << 18; // of four bytes each
    std::vector<std::int32_t> numbers(2 * piece + 77);
    std::iota(numbers.begin(), numbers.end(), 5);
    DeviceArray<std::int32_t> const array(numbers);
    EXPECT_EQ(array.all(), numbers);
    for (auto const count : {std::size_t{0}, std::size_t{1}, piece - 1, piece, piece + 1})
        EXPECT_TRUE(std::ranges::equal(array.first(count), std::span(numbers).first(count)));
}

// In a thread that never asked for a GPU, and on one that is gone. Planted: it has to be asked for.
TEST_F(EmulatedLaunch, AnArrayMayEndInAnyThread)
{
    use_device();
    for (bool const present : {true, false}) {
        auto array = std::make_unique<DeviceArray<char>>(std::size_t{100});
        auto* const at = array->data();
        emulated::gpu().present = present;
        std::jthread([&] { array.reset(); }).join();
        emulated::gpu().present = true;
        EXPECT_EQ(emulated::bytes_in_use() == 0, present);
        if (!present) give_back_device_bytes(at);
    }
}

/// A variant that writes this byte to all of its results and bounds; `ran` gets its name.
EngineVariant<Outcome> constant_variant(std::string const& name, int result, int bound,
                                        std::int64_t* bounds, std::vector<std::string>& ran)
{
    return {name, 1, [=, &ran](GpuBatch const& batch, Outcome* to) {
                auto const count = static_cast<std::size_t>(batch.count);
                cudaMemsetAsync(to + batch.from, result, count * sizeof(Outcome));
                cudaMemsetAsync(bounds + batch.from, bound, count * sizeof(std::int64_t));
                if (count > 1) ran.push_back(name);
            }};
}

// The first runs once more before any is timed, then all run forth and back, then one alone.
// Results and bounds of all are compared.
TEST_F(EmulatedLaunch, VariantsRunForthAndBackAndAreCompared)
{
    changed_gpu().processors = 1;
    use_device();
    GpuBatch batch;
    batch.count = 3000;
    DeviceArray<Outcome> outcome(3000);
    DeviceArray<std::int64_t> bounds(3000);
    std::vector<std::string> ran;
    auto const run = [&](std::string const& what, int result, int bound) {
        run_fastest<Outcome>({constant_variant("one", 1, 2, bounds.data(), ran),
                              constant_variant("other", result, bound, bounds.data(), ran)},
                             {}, "a kind", what, batch, outcome.data(), bounds.data());
    };
    run("equal", 1, 2);
    ASSERT_EQ(ran.size(), 6u);
    ran.pop_back();
    EXPECT_EQ(ran, (std::vector<std::string>{"one", "one", "other", "other", "one"}));
    EXPECT_THROW(run("results", 3, 2), std::runtime_error);
    try {
        run("bounds", 1, 3);
        FAIL();
    } catch (std::runtime_error const& error) {
        EXPECT_EQ(std::string(error.what()),
                  "the bound beside bounds, instance 0: the variants 'one' and 'other' of its "
                  "kernel do not agree; one of them is wrong");
    }
}

// Every row of the registry that runs on a GPU has a launch, and no other has.
TEST_F(EmulatedLaunch, EveryGpuRowHasALaunch)
{
    std::set<std::string_view> rows;
    for (auto const* const engine : engines())
        if (engine->processor == Processor::gpu) rows.insert(engine->name);
    auto const names = gpu_launch_names();
    EXPECT_EQ(rows, std::set(names.begin(), names.end()));
    EXPECT_EQ(rows.size(), names.size());
}

} // namespace
} // namespace crx
