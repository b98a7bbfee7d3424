#include "kernels/cohort/counted_line.hh"
#include "support/random_composition.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::pick_between;

// 2,000 lines of up to 7,000 requests, asked to their ends in groups within a block, across two,
// and as large as one: the same answers as the line that counts where it is asked, by the same
// words.
TEST(CountedLine, AnswersAsTheMarkedLine)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::uint64_t run = 0; run < 2000 && !testing::Test::HasFailure(); ++run) {
        auto const population = pick_between(rng, 0, 7000);
        auto const marked = pick_between(rng, 0, population);
        SCOPED_TRACE(testing::Message() << population << " " << marked << " run " << run);
        WordStream words(run, stream_policy, 5);
        BufferedWords buffered(run, stream_policy, 5);
        MarkedLine line;
        CountedLine counted;
        line.open(population, marked);
        counted.open(population, marked);
        for (auto left = population; left > 0;) {
            auto const most = pick_between(rng, 0, 4) == 0 ? 2500 : 70;
            auto const m = pick_between(rng, 0, std::min<std::int64_t>(left, most));
            ASSERT_EQ(line.take(m, words), counted.take(m, buffered)) << left << " " << m;
            left -= m;
        }
        ASSERT_EQ(words.next(), buffered.next());
    }
}

} // namespace
} // namespace crx
