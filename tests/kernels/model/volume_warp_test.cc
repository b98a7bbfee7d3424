#include "kernels/model/volume_bound_warp.cuh"

#include "kernels/cpu/single.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

std::int64_t by_warp(OwnedInstance& x)
{
    auto const bytes = WarpVolume::arena_bytes(x.requests());
    std::vector<std::max_align_t> block(bytes / sizeof(std::max_align_t) + 1);
    Arena arena(block.data(), bytes);
    return WarpVolume(arena, x.requests()).execute(requests_of(x));
}

TEST(WarpVolume, IsTheVolumeBound)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int k = 0; k < 3000; ++k) {
        auto given = crx_test::random_instance(rng);
        for (auto& r : given.requests) r.arrival = 0;
        auto x = crx_test::owned(given);
        EXPECT_EQ(by_warp(x), volume_bound(x)) << crx_test::describe(given);
    }
}

// Hundreds of requests with long outputs: sums pass 2^31, and some volumes do.
TEST(WarpVolume, IsTheVolumeBoundOfLargerInstances)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int known = 0, unknown = 0;
    for (int k = 0; k < 300; ++k) {
        OwnedInstance x;
        x.resize(static_cast<std::size_t>(rng() % 700));
        auto const longest = 1 + rng() % (k % 2 == 0 ? 3000 : 90000);
        for (std::size_t i = 0; i < x.output.size(); ++i) {
            x.prompt[i] = static_cast<std::int32_t>(rng() % 2000);
            x.output[i] = static_cast<std::int32_t>(1 + rng() % longest);
        }
        x.memory = static_cast<Tokens>(2000 + longest + rng() % 10000);
        auto const bound = by_warp(x);
        ++(bound == WarpVolume::unknown ? unknown : known);
        if (bound != WarpVolume::unknown) {
            EXPECT_EQ(bound, volume_bound(x));
        }
    }
    EXPECT_GT(known, 150);
    EXPECT_GT(unknown, 20);
}

TEST(WarpVolume, IsNotKnownPastItsLimits)
{
    OwnedInstance x;
    x.memory = std::int64_t{1} << 51;
    x.resize(1);
    x.output = {65535};
    x.prompt = {0};
    EXPECT_EQ(by_warp(x), volume_bound(x)); // 2^31 - 2^15
    x.prompt[0] = 1;
    EXPECT_EQ(by_warp(x), WarpVolume::unknown);
    x.output = {1};
    x.prompt = {INT32_MAX - 1};
    EXPECT_EQ(by_warp(x), volume_bound(x));
    x.prompt = {INT32_MAX};
    EXPECT_EQ(by_warp(x), WarpVolume::unknown);
    x.prompt = {0};
    ++x.memory;
    EXPECT_EQ(by_warp(x), WarpVolume::unknown);
}

} // namespace
} // namespace crx
