#include "kernels/engines/cohorts/thread_instances.cuh"
#include "kernels/random/counted_rows.hh"
#include "support/random_composition.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

using crx_test::pick_between;

// 2,000 lines of up to 20,000 requests (a few of up to 300,000), asked to their ends in groups
// within a block, across two, and as large as one: lines that count when a block is made and those
// of a GPU's thread give the same answers as the line that counts where it is asked, by the same
// words.
TEST(CountedLine, AnswersAsTheMarkedLine)
{
    std::mt19937_64 rng(crx_test::test_seed());
    constexpr std::int64_t most = 300'000;
    for (std::uint64_t run = 0; run < 2000 && !testing::Test::HasFailure(); ++run) {
        auto const population = pick_between(rng, 0, run % 100 == 0 ? most : 20'000);
        auto const marked = run % 3 == 0 ? population / 2 : pick_between(rng, 0, population);
        auto const block = sampling_block(std::int64_t{1} << pick_between(rng, 0, 7));
        SCOPED_TRACE(testing::Message()
                     << population << " " << marked << " " << block << " run " << run);
        auto const rows = sampling_rows(population, block);
        std::vector<std::uint64_t> own(static_cast<std::size_t>(rows)),
            made(static_cast<std::size_t>(CountedRows::made_words(rows))),
            kept(static_cast<std::size_t>(CountedRows::counted_words(rows))),
            thread(static_cast<std::size_t>(rows * ThreadLine::Rows::apart));
        WordStream words(run, stream_policy, 5), thread_words(run, stream_policy, 5);
        BufferedWords buffered(run, stream_policy, 5);
        SamplingWithoutReplacement line(SamplingWithoutReplacement::Rows(own.data()), block);
        CountedLine counted(CountedRows(made.data(), kept.data()), block);
        ThreadLine threads(ThreadLine::Rows(thread.data()), block);
        line.open(population, marked);
        counted.open(population, marked);
        threads.open(population, marked);
        auto const large = pick_between(rng, 0, 1) == 0 ? 2500 : 40'000;
        for (auto left = population; left > 0;) {
            auto const top = pick_between(rng, 0, 4) == 0 ? large : 70;
            auto const m = pick_between(rng, 0, std::min<std::int64_t>(left, top));
            auto const answer = line.take(m, words);
            ASSERT_EQ(answer, counted.take(m, buffered)) << left << " " << m;
            ASSERT_EQ(answer, m == 0 ? 0 : threads.take(m, thread_words)) << left << " " << m;
            left -= m;
        }
        auto const next = words.next();
        ASSERT_EQ(next, buffered.next());
        ASSERT_EQ(next, thread_words.next());
    }
}

} // namespace
} // namespace crx
