#include "emulated_gpu/fresh_gpu.hh"
#include "emulated_gpu/launch.hh"
#include "host/selftest/selftest_cases.hh"
#include "kernels/cuda/device_paths.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using EmulatedPaths = crx_test::FreshGpu;

/// Kernels that were launched.
std::int64_t expect_hosts_paths(PathCase const& test, std::int64_t count)
{
    auto const before = emulated::launches();
    EXPECT_EQ(launch_paths_device(test.cell, 3, count), launch_paths(test.cell, 3, count))
        << test.name << ", " << count;
    EXPECT_EQ(emulated::bytes_in_use(), 0u);
    return emulated::launches() - before;
}

// Around a block, and one batch after the other where memory is short.
TEST_F(EmulatedPaths, AreTheHosts)
{
    std::int64_t more = 0;
    for (auto const& test : path_cases()) {
        for (std::int64_t const count : {1, 31, 33}) expect_hosts_paths(test, count);
        auto const whole = expect_hosts_paths(test, 70);
        changed_gpu().bytes = std::size_t{3} << 20;
        more += expect_hosts_paths(test, 70) > whole;
        renew();
    }
    EXPECT_GE(more, 2);
}

// A second chunk takes what the first gave back.
TEST_F(EmulatedPaths, MemoryIsTakenOnce)
{
    auto const test = path_cases().front();
    expect_hosts_paths(test, 70);
    auto const before = emulated::counters();
    expect_hosts_paths(test, 70);
    EXPECT_EQ(emulated::counters().allocated, before.allocated);
    EXPECT_EQ(emulated::counters().filled, before.filled);
    EXPECT_EQ(emulated::counters().properties_asked, before.properties_asked);
}

TEST_F(EmulatedPaths, SaysThatMemoryIsTooSmall)
{
    changed_gpu().bytes = 50'000;
    auto const cell = path_cases().front().cell;
    EXPECT_THROW(launch_paths_device(cell, 0, 1), std::exception);
}

} // namespace
} // namespace crx
