#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/words.hh"
#include "support/test_seed.hh"

namespace {

using oracle::WordStream;
using Block = std::array<std::uint32_t, 4>;

// The vectors "philox4x32 10" of kat_vectors in the Random123 distribution.
TEST(OracleWords, BlocksAreThePublishedOnes)
{
    EXPECT_EQ(oracle::philox_block(0, 0, 0, 0),
              (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    std::uint64_t const ones = ~std::uint64_t{0};
    EXPECT_EQ(oracle::philox_block(ones, ones, 0xffffffff, 0xffffffff),
              (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    // Counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0.
    EXPECT_EQ(oracle::philox_block(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3, 0x243f6a88),
              (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(OracleWords, WordsAreTheHalvesOfTheBlocksInOrder)
{
    WordStream words(0, 0, 0);
    EXPECT_EQ(words.next(), 0xe169c58d6627e8d5u);
    EXPECT_EQ(words.next(), 0x9b00dbd8bc57ac4cu);
    Block const second = oracle::philox_block(0, 0, 0, 1);
    EXPECT_EQ(words.next(), second[0] + (std::uint64_t{second[1]} << 32));
    EXPECT_EQ(words.used(), 3u);
}

TEST(OracleWords, BoundedTakesTheHighHalfOfTheProduct)
{
    WordStream raw(7, 3, 19), drawn(7, 3, 19);
    EXPECT_EQ(drawn.bounded(1), 0u);
    EXPECT_EQ(drawn.used(), 0u);   // k = 1 uses no word
    for (int i = 0; i < 1000; ++i) // a power of two never rejects: the top bits of the word
        EXPECT_EQ(drawn.bounded(1024), raw.next() >> 54);
}

// k = 2^63 + 1: a word is rejected when the low half of x k is below (2^63 - 1) mod k = 2^63 - 1.
// x k = 2^63 x + x, so the low half is x + 2^63 (x odd), modulo 2^64, and the high half is about
// x / 2. That is worked out here from the bits of x.
TEST(OracleWords, BoundedRejectsExactlyTheWordsItMust)
{
    std::uint64_t const half = std::uint64_t{1} << 63, k = half + 1;
    WordStream raw(11, 5, 0), drawn(11, 5, 0);
    for (int i = 0; i < 1000; ++i) {
        std::uint64_t x = raw.next();
        while ((x % 2 == 0 ? x : x ^ half) < half - 1) x = raw.next();
        bool const carry = x % 2 == 1 && x >= half; // out of the low half
        ASSERT_EQ(drawn.bounded(k), x / 2 + (carry ? 1 : 0));
        ASSERT_EQ(drawn.used(), raw.used());
    }
}

TEST(OracleWords, PermutationOfNoneAndOneUsesNoWord)
{
    WordStream words(1, 2, 3);
    EXPECT_TRUE(words.permutation(0).empty());
    EXPECT_EQ(words.permutation(1), std::vector<std::size_t>{0});
    EXPECT_EQ(words.used(), 0u);
}

constexpr std::uint64_t runs = 1 << 20;

/// Greatest distance of the 24 frequencies of orders of four from 1/24.
template <class Shuffle>
double worst_frequency_error(Shuffle shuffle)
{
    std::map<std::vector<std::size_t>, std::uint64_t> count;
    for (std::uint64_t run = 0; run < runs; ++run) ++count[shuffle(run)];
    double worst = count.size() < 24 ? 1.0 / 24 : 0;
    for (auto const& [order, times] : count)
        worst = std::max(worst, std::abs(double(times) / double(runs) - 1.0 / 24));
    return worst;
}

// H0: each of the 24 orders has probability 1/24. False alarm <= 1e-9 for any seed: Hoeffding on
// each frequency, two-sided, and the union over 24. Power: the swap of every place with any place
// (the planted fault) has an order of frequency 15/256, 0.0169 too many, against a tolerance of
// 0.0034; it is missed with probability below exp(-2 runs 0.0135^2) < 1e-160.
TEST(OracleWords, PermutationOfFourIsUniformAndABiasedShuffleIsCaught)
{
    std::uint64_t const seed = crx_test::test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    double const tolerance = std::sqrt(std::log(2 * 24 / 1e-9) / (2.0 * double(runs)));
    auto fair = [&](std::uint64_t run) { return WordStream(seed, run, 16).permutation(4); };
    auto biased = [&](std::uint64_t run) {
        WordStream words(seed, run, 16);
        std::vector<std::size_t> order{0, 1, 2, 3};
        for (std::size_t i = 0; i < 4; ++i) std::swap(order[i], order[words.bounded(4)]);
        return order;
    };
    EXPECT_LE(worst_frequency_error(fair), tolerance);
    EXPECT_GT(worst_frequency_error(biased), tolerance);
}

} // namespace
