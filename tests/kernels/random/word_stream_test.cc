#include "kernels/random/word_stream.cuh"

#include "oracle/words.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

void expect_block(PhiloxBlock const& block, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                  std::uint32_t d)
{
    EXPECT_EQ(block.v[0], a);
    EXPECT_EQ(block.v[1], b);
    EXPECT_EQ(block.v[2], c);
    EXPECT_EQ(block.v[3], d);
}

// The vectors "philox4x32 10" of kat_vectors in the Random123 distribution.
TEST(Philox, BlocksAreThePublishedOnes)
{
    auto const ones = ~std::uint64_t{0};
    expect_block(philox_block(0, 0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
    expect_block(philox_block(ones, 0xffffffff, 0xffffffff, ones), 0x408f276d, 0x41c83b0e,
                 0xa20bc7c6, 0x6d5451fd);
    expect_block(philox_block(0x299f31d0a4093822, 0x243f6a88, 0x85a308d3, 0x0370734413198a2e),
                 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
}

TEST(WordStream, IsTheOracles)
{
    auto const seed = crx_test::test_seed();
    for (std::uint64_t const instance : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
        WordStream ours(seed, 21, instance);
        oracle::WordStream theirs(seed, instance, 21);
        for (int k = 0; k < 1000; ++k) ASSERT_EQ(ours.next(), theirs.next());
    }
}

// Bounds of every size, those near 2^64 among them, where words are rejected half of the time.
TEST(WordStream, BoundedDrawsAreTheOracles)
{
    WordStream ours(3, 16, 9);
    oracle::WordStream theirs(3, 9, 16);
    for (std::uint64_t k = 1; k < (std::uint64_t{1} << 62); k += k / 3 + 1)
        for (int repeat = 0; repeat < 8; ++repeat) ASSERT_EQ(ours.bounded(k), theirs.bounded(k));
    auto const near_half = (std::uint64_t{1} << 63) + 1;
    for (int repeat = 0; repeat < 1000; ++repeat)
        ASSERT_EQ(ours.bounded(near_half), theirs.bounded(near_half));
}

TEST(WordStream, ShuffleIsTheOraclesPermutation)
{
    for (std::uint64_t instance = 0; instance < 50; ++instance) {
        WordStream ours(5, 19, instance);
        std::vector<std::uint32_t> order(37);
        for (std::uint32_t i = 0; i < 37; ++i) order[i] = i;
        shuffle(order.data(), 37, ours);
        auto const truth = oracle::WordStream(5, instance, 19).permutation(37);
        for (std::size_t i = 0; i < 37; ++i) ASSERT_EQ(order[i], truth[i]);
    }
}

} // namespace
} // namespace crx
