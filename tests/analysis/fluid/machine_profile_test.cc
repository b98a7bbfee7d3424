#include "analysis/fluid/machine_profile.hh"

#include <gtest/gtest.h>

namespace crx {

namespace {

TEST(MachineProfile, CountsTheParametersOfTheReleasedModels)
{
    // What the released checkpoints hold: 68,976,648,192 and 6,738,415,616 numbers.
    EXPECT_EQ(llama2_70b.parameters(), 68'976'648'192);
    EXPECT_EQ(llama2_7b.parameters(), 6'738'415'616);
    // Keys and values, 16 bits: 320 KiB with 8 of 64 heads, 512 KiB with all 32.
    EXPECT_EQ(llama2_70b.token_bytes(), 320 * 1024);
    EXPECT_EQ(llama2_7b.token_bytes(), 512 * 1024);
}

TEST(MachineProfile, IsTheQuotientOfPublishedFigures)
{
    auto const* large = machine_profile_named("llama2-70b-2xa100");
    ASSERT_NE(large, nullptr);
    // 137,953,296,384 B / 4,078 GB/s = 33.828665 ms; 327,680 B / 4,078 GB/s = 80.353114 ns;
    // 2 * 68,452,352,000 / 624 T/s = 219.398564 us.
    EXPECT_EQ(large->d0, 33'828'665);
    EXPECT_NEAR(static_cast<double>(large->d1) / 65536, 80.353114, 1e-5);
    EXPECT_NEAR(static_cast<double>(large->d2) / 65536, 219'398.564, 1e-3);
    auto const* small = machine_profile_named("llama2-7b-a100");
    ASSERT_NE(small, nullptr);
    EXPECT_EQ(small->d0, 6'609'530);
    EXPECT_NEAR(static_cast<double>(small->d1) / 65536, 257.129965, 1e-5);
    EXPECT_NEAR(static_cast<double>(small->d2) / 65536, 41'514.535, 1e-3);
}

TEST(MachineProfile, RoundsToTheNearestUnit)
{
    // One layer of one head of width 1: token_bytes = 4, parameters = 2 + 2 + 3 + 2 + 2 + 1 = 12.
    Transformer const tiny{1, 1, 1, 1, 1, 1};
    EXPECT_EQ(tiny.layer_parameters(), 9);
    EXPECT_EQ(tiny.parameters(), 12);
    // 24 B at 7 B/s is 3.428571428.. s, 4 B 0.571.. s = 37449142857.1 units, 18 / 5 s.
    auto const profile = derive_profile("tiny", "", tiny, {7, 5}, 1);
    EXPECT_EQ(profile.d0, 3'428'571'429);
    EXPECT_EQ(profile.d1, 37'449'142'857'143);
    EXPECT_EQ(profile.d2, 235'929'600'000'000);
    // Twice the GPUs, half the time.
    EXPECT_EQ(derive_profile("tiny", "", tiny, {7, 5}, 2).d2, 117'964'800'000'000);
}

TEST(MachineProfile, KnowsNoOtherName) { EXPECT_EQ(machine_profile_named("llama2"), nullptr); }

} // namespace

} // namespace crx
