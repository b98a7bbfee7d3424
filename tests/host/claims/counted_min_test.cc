// CHEN Theorem 4.1: A_min takes O(M log M) a round. Counted, not timed.
#include "claims/counted_min.hh"
#include "oracle/oracle.hh"
#include "oracle/words.hh"
#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace crx_test {
namespace {

using CountedMin = crx::claims::CountedMin<oracle::Request, oracle::WordStream>;

/// The words of a-min in that instance.
oracle::WordStream words_of(std::uint64_t instance) { return {1, instance, 16 + 5}; }

TEST(CountedMin, IsTheOracles)
{
    std::mt19937_64 rng(test_seed() + 60);
    std::int64_t cancelled = 0;
    for (std::uint64_t number = 0; number < 300; ++number) {
        auto const u = 2 + static_cast<std::int64_t>(rng() % 10),
                   s = static_cast<std::int64_t>(rng() % 3);
        auto const memory = s + u + static_cast<std::int64_t>(rng() % 30);
        std::vector<oracle::Request> requests;
        for (auto n = 1 + rng() % 25; n > 0; --n) {
            auto const lower = 1 + static_cast<std::int64_t>(rng() % 2);
            auto const o = lower + static_cast<std::int64_t>(
                                       rng() % static_cast<std::uint64_t>(u - lower + 1));
            requests.push_back({static_cast<std::int64_t>(rng() % 6), s, o, lower, u});
        }
        auto const truth = oracle::simulate({"a-min"}, requests, memory, 1, number);
        CountedMin counted(requests, memory, words_of(number));
        counted.run();
        ASSERT_EQ(counted.start, truth.start) << number;
        cancelled += truth.cancellations;
    }
    EXPECT_GT(cancelled, 300);
}

/// M (1 + 1/2 + .. + 1/M)
double harmonic(std::int64_t memory)
{
    double sum = 0;
    for (std::int64_t r = memory; r > 0; --r)
        sum += static_cast<double>(memory) / static_cast<double>(r);
    return sum;
}

double most_operations(std::vector<oracle::Request> const& requests, std::int64_t memory)
{
    CountedMin counted(requests, memory, words_of(0));
    counted.run();
    auto const most = static_cast<double>(counted.most_operations);
    // What is planned for r rounds later or more holds r tokens each and was found to fit, so there
    // are at most M / r of it from r = 2 on: putting in, looking, cancelling and releasing take M
    // H_M each; the sort M log2 M, the rest a few M.
    EXPECT_LE(most, 4 * harmonic(memory) +
                        static_cast<double>(memory) * (std::log2(static_cast<double>(memory)) + 6));
    return most;
}

/// n requests (0, o), o the next of `outputs` by turns, known to lie in [lower, u].
std::vector<oracle::Request> in_turn(std::int64_t n, std::int64_t lower, std::int64_t u,
                                     std::vector<std::int64_t> const& outputs)
{
    std::vector<oracle::Request> requests;
    for (std::int64_t i = 0; i < n; ++i)
        requests.push_back({0, 0, outputs[static_cast<std::size_t>(i) % outputs.size()], lower, u});
    return requests;
}

// Loads with many cancellations a round (l = 1: half of those that start), with few, with lower
// ends that fill memory at every time at once. The exponent of M is one and a logarithm's part.
TEST(CountedMin, TakesMLogMARound)
{
    std::vector<double> cancelling, learning, filling;
    for (std::int64_t const memory : {64, 256, 1024}) {
        cancelling.push_back(most_operations(in_turn(2 * memory, 1, 16, {16}), memory));
        learning.push_back(most_operations(in_turn(2 * memory, 2, 32, {2, 5, 32, 9}), memory));
        std::vector<oracle::Request> requests;
        for (std::int64_t l = 1; l <= memory; ++l)
            for (auto k = memory / l - memory / (l + 1); k > 0; --k)
                requests.push_back({0, 0, l, l, memory});
        filling.push_back(most_operations(requests, memory));
    }
    for (auto const& most : {cancelling, learning, filling}) {
        auto const slope = std::log(most[2] / most[1]) / std::log(4);
        EXPECT_GT(slope, 0.9);
        EXPECT_LT(slope, 1.25);
        RecordProperty("slope_" + std::to_string(static_cast<int>(most[2])), std::to_string(slope));
    }
    EXPECT_GT(filling[2], 1.9 * harmonic(1024) - 2 * 1024);
}

} // namespace
} // namespace crx_test
