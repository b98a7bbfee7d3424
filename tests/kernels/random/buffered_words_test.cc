#include "kernels/random/buffered_words.hh"

#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

// WordStream is held to the published vectors; here both must give the same words, whatever number
// was expected, with all halves of the key and the counter in use.
TEST(BufferedWords, AreTheStreams)
{
    for (std::uint64_t k = 0; k < 40; ++k) {
        auto const seed = k * 0x9e3779b97f4a7c15, instance = k * 0xd1342543de82ef95;
        auto const stream = static_cast<std::uint32_t>(k % 30);
        for (std::int64_t const expected : {0, 1, 15, 16, 17, 48, 49, 1000}) {
            WordStream plain(seed, stream, instance);
            BufferedWords buffered(seed, stream, instance, expected);
            for (int i = 0; i < 500; ++i) ASSERT_EQ(buffered.next(), plain.next()) << i;
        }
    }
}

// Words looked at, of which some are used, between others that are taken one by one or copied.
TEST(BufferedWords, CanBeLookedAtBeforeTheyAreUsed)
{
    for (std::int64_t const expected : {0, 20, 1000}) {
        WordStream plain(3, 18, 7), cases(4, 18, 7);
        BufferedWords buffered(3, 18, 7, expected);
        std::vector<std::uint64_t> next(BufferedWords::most_looked_at);
        for (auto& word : next) word = plain.next();
        auto const take = [&](std::uint64_t word) {
            ASSERT_EQ(word, next.front());
            next.erase(next.begin());
            next.push_back(plain.next());
        };
        for (int i = 0; i < 3000; ++i) {
            auto const* const look = buffered.look();
            ASSERT_TRUE(std::equal(next.begin(), next.end(), look)) << i;
            auto const used = cases.bounded(next.size() + 1);
            buffered.use_until(look + used);
            for (std::uint64_t k = 0; k < used; ++k) take(look[k]);
            for (auto k = cases.bounded(4); k > 0; --k) take(buffered.next());
            std::uint64_t copied[8];
            auto const count = static_cast<int>(cases.bounded(9));
            buffered.copy(copied, count);
            for (int k = 0; k < count; ++k) take(copied[k]);
        }
    }
}

TEST(BufferedWords, BoundedDrawsAndShufflesAreTheStreams)
{
    WordStream plain(5, 17, 9);
    BufferedWords buffered(5, 17, 9);
    for (std::uint64_t k = 1; k < 3000; ++k) {
        auto const bound = k % 3 == 0 ? (std::uint64_t{3} << 62) - k : k;
        ASSERT_EQ(buffered.bounded(bound), plain.bounded(bound)) << bound;
    }
    std::vector<int> one(1000), other(1000);
    for (int i = 0; i < 1000; ++i)
        one[static_cast<std::size_t>(i)] = other[static_cast<std::size_t>(i)] = i;
    shuffle(one.data(), 1000, plain);
    shuffle(other.data(), 1000, buffered);
    EXPECT_EQ(one, other);
}

TEST(PhiloxWords, StartAnywhere)
{
    WordStream plain(1, 2, 3);
    std::vector<std::uint64_t> all(64), part(32);
    for (auto& word : all) word = plain.next();
    philox_words(1, 2, 3, 8, 16, part.data());
    EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + 16));
    philox_words(1, 2, 3, (std::uint64_t{1} << 32) - 8, 8, part.data());
    auto const last = philox_block(1, 0xffffffff, 2, 3);
    EXPECT_EQ(part[15], last.v[2] | std::uint64_t{last.v[3]} << 32);
}

// Numbers of blocks that are made 8 or 32 at a time, or both; the last of them the stream's last.
TEST(PhiloxWords, ManyAtATime)
{
    for (int const blocks : {8, 24, 32, 40, 64, 104})
        for (auto const first :
             {std::uint64_t{8}, (std::uint64_t{1} << 32) - static_cast<std::uint64_t>(blocks)}) {
            SCOPED_TRACE(testing::Message() << blocks << " from " << first);
            auto const seed = 0x9e3779b97f4a7c15, instance = 0xd1342543de82ef95;
            std::vector<std::uint64_t> words(static_cast<std::size_t>(2 * blocks));
            philox_words(seed, 19, instance, first, blocks, words.data());
            for (std::size_t k = 0; k < words.size(); ++k) {
                auto const block =
                    philox_block(seed, static_cast<std::uint32_t>(first + k / 2), 19, instance);
                auto const* const half = block.v + 2 * (k % 2);
                ASSERT_EQ(words[k], half[0] | std::uint64_t{half[1]} << 32) << k;
            }
        }
}

} // namespace
} // namespace crx
