#include "kernels/random/words_ahead.hh"

#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

// 20,000 steps of one stream: words taken, looked at and used in part, drawn from as a plain
// stream.
TEST(WordsAhead, AreTheWordsOfTheStream)
{
    std::mt19937_64 rng(crx_test::test_seed() + 950);
    auto const seed = rng();
    WordStream plain(seed, stream_policy, 7);
    WordsAhead ahead(seed, stream_policy, 7);
    std::uint64_t last = 0;
    for (int step = 0; step < 20000 && !HasFailure(); ++step) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", step " << step);
        switch (rng() % 3) {
        case 0: EXPECT_EQ(ahead.next(), last = plain.next()); break;
        case 1: {
            auto const* const word = ahead.look();
            if (ahead.used() > 0) {
                EXPECT_EQ(word[-1], last);
            }
            auto const used = rng() % (WordsAhead::most_looked_at + 1);
            for (std::uint64_t k = 0; k < used; ++k) EXPECT_EQ(word[k], last = plain.next());
            ahead.use(used);
            break;
        }
        default: {
            auto stream = ahead.stream();
            for (auto k = rng() % (step % 8 == 0 ? 200 : 5); k > 0; --k)
                EXPECT_EQ(stream.next(), last = plain.next());
            ahead.go_on(stream);
        }
        }
        EXPECT_EQ(ahead.used(), plain.used());
    }
}

} // namespace
} // namespace crx
