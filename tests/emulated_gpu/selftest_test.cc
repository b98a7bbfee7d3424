#include "emulated_gpu/fresh_gpu.hh"
#include "host/selftest/selftest.hh"

#include <cstdlib>
#include <gtest/gtest.h>

namespace crx {
namespace {

using EmulatedSelftest = crx_test::FreshGpu;

void expect_no_failure(SelftestResult const& result)
{
    EXPECT_GT(result.passed, 0);
    for (auto const& failure : result.failures) ADD_FAILURE() << failure;
    EXPECT_EQ(result.failed, 0);
}

TEST_F(EmulatedSelftest, PathsAreTheHosts) { expect_no_failure(selftest_paths_cuda()); }

// Of numbers of all sizes: all ways to draw, the integer brackets too.
TEST_F(EmulatedSelftest, DrawsTakeTheHostsWords)
{
    expect_no_failure(selftest_draws_cuda(200'000));
}

// Instances of a few dozen requests. CRX_EMULATED_ALL=1: more of them, and hundreds of requests
// too.
TEST_F(EmulatedSelftest, TalliesAreTheHosts)
{
    bool const all = std::getenv("CRX_EMULATED_ALL") != nullptr;
    expect_no_failure(selftest_cuda(all ? DeviceCounts{37, 3, 1300} : DeviceCounts{2, 0, 0}));
}

} // namespace
} // namespace crx
