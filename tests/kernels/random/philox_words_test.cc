#include "kernels/random/buffered_words.hh"
#include "kernels/random/word_stream.cuh"

#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

// All halves of the key and the counter in use; instances on both sides of 2^32.
TEST(LaneWords, AreTheStreamsOfEachInstance)
{
    for (std::uint64_t k = 0; k < 24; ++k) {
        auto const seed = k * 0x9e3779b97f4a7c15;
        auto const first_instance = k % 3 == 0 ? (k << 32) - 5 : k * 0xd1342543de82ef95;
        auto const stream = static_cast<std::uint32_t>(k % 30);
        auto const first = k % 5, blocks = k % 7;
        std::vector<std::uint64_t> words(2 * blocks * word_lanes);
        philox_lane_words(seed, stream, first_instance, first, static_cast<int>(blocks),
                          words.data());
        for (std::uint64_t lane = 0; lane < word_lanes; ++lane) {
            WordStream plain(seed, stream, first_instance + lane);
            for (std::uint64_t w = 0; w < 2 * first; ++w) plain.next();
            for (std::uint64_t w = 0; w < 2 * blocks; ++w)
                ASSERT_EQ(words[w * word_lanes + lane], plain.next()) << k << " " << lane;
        }
    }
}

} // namespace
} // namespace crx
