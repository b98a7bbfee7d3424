#include "kernels/random/warp_words.cuh"

#include "kernels/base/warp_moves.cuh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

namespace crx {
namespace {

TEST(WarpWords, AreThoseOfTheStream)
{
    WarpWords words(5, 21, std::uint64_t{7} << 40);
    WordStream stream(5, 21, std::uint64_t{7} << 40);
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(words.next(), stream.next()) << k;
    // The second draws again for half of the words.
    for (std::uint64_t const count : {std::uint64_t{3}, (std::uint64_t{1} << 63) + 1})
        for (int k = 0; k < 300; ++k) ASSERT_EQ(words.bounded(count), stream.bounded(count)) << k;
}

TEST(WarpWords, ShuffleAsTheStreamDoes)
{
    for (std::int64_t const n : {1, 2, 31, 64, 1000}) {
        std::vector<RequestId> by_warp(static_cast<std::size_t>(n));
        std::iota(by_warp.begin(), by_warp.end(), 0u);
        auto by_stream = by_warp;
        WarpWords words(5, 17, 3);
        WordStream stream(5, 17, 3);
        shuffle_in_lanes(by_warp.data(), n, words);
        shuffle(by_stream.data(), n, stream);
        EXPECT_EQ(by_warp, by_stream);
    }
}

// Keys of one digit, of several, with digits that all share, and in order already.
TEST(WarpSort, KeepsEqualKeysInOrder)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int round = 0; round < 400; ++round) {
        auto const n = static_cast<std::int32_t>(round % 7 == 0 ? rng() % 4 : rng() % 300);
        auto const keys = 1 + rng() % (round % 3 == 0 ? 30 : round % 3 == 1 ? 5000 : 1u << 30);
        auto const shift = round % 5 == 0 ? 20 : 0;
        std::vector<std::int32_t> key(static_cast<std::size_t>(n));
        for (auto& k : key) k = static_cast<std::int32_t>(rng() % keys << shift & INT32_MAX);
        if (round % 11 == 0) std::ranges::sort(key);
        std::vector<std::uint32_t> items(key.size()), copy(key.size());
        std::iota(items.begin(), items.end(), 0u);
        std::ranges::shuffle(items, rng);
        auto expected = items;
        std::ranges::stable_sort(expected, {}, [&](std::uint32_t i) { return key[i]; });
        auto const* const sorted =
            sort_in_lanes([&](std::uint32_t i) { return key[i]; }, n, items.data(), copy.data());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), sorted)) << round;
    }
}

} // namespace
} // namespace crx
