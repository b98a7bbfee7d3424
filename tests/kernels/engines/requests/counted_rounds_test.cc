// JAILLET Proposition 4.2: MC-SF takes O(M^2) a round. Counted, not timed.
#include "support/counted_rounds.hh"
#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace crx_test {
namespace {

using Requests = std::vector<oracle::Request>;

oracle::Request request(std::int64_t arrival, std::int64_t s, std::int64_t o)
{
    return {arrival, s, o, o, o};
}

/// M (1 + 1/2 + .. + 1/M)
double harmonic(std::int64_t memory)
{
    double sum = 0;
    for (std::int64_t r = memory; r > 0; --r)
        sum += static_cast<double>(memory) / static_cast<double>(r);
    return sum;
}

/// At once all that fits: M / r requests of r tokens or more, for every r.
Requests harmonic_requests(std::int64_t memory)
{
    Requests requests;
    for (std::int64_t o = 1; o <= memory; ++o)
        for (auto k = memory / o - memory / (o + 1); k > 0; --k)
            requests.push_back(request(0, 0, o));
    return requests;
}

double slope(double small, double large, double ratio)
{
    return std::log(large / small) / std::log(ratio);
}

// Both loops are the oracle's MC-SF. Whoever is admitted in a round together holds memory at each
// time r later, s + r each of those with o >= r; so there are at most M / r of these, the o of all
// of them sum to at most M H_M, and the one that is refused looks at no more than M times.
TEST(CountedRounds, AreTheOraclesAndByTimeTakesMLogM)
{
    std::mt19937_64 rng(test_seed() + 50);
    double nearest = 0;
    for (int k = 0; k < 400; ++k) {
        auto const memory = 6 + static_cast<std::int64_t>(rng() % 40);
        Requests requests;
        for (auto n = 1 + rng() % 40; n > 0; --n) {
            auto const size =
                1 + static_cast<std::int64_t>(
                        rng() % static_cast<std::uint64_t>(rng() % 2 == 0 ? 6 : memory));
            auto const o = 1 + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(size));
            requests.push_back(request(static_cast<std::int64_t>(rng() % 20), size - o, o));
        }
        auto const truth = oracle::simulate({"mc-sf"}, requests, memory, 1, 0).start;
        auto const printed = CountedRounds(requests, memory).as_printed();
        auto const by_time = CountedRounds(requests, memory).by_time();
        ASSERT_EQ(printed.start, truth);
        ASSERT_EQ(by_time.start, truth);
        ASSERT_LE(static_cast<double>(by_time.most_operations),
                  2 * harmonic(memory) + static_cast<double>(memory));
    }
    for (std::int64_t const memory : {64, 1024}) {
        auto const run = CountedRounds(harmonic_requests(memory), memory).by_time();
        EXPECT_EQ(*std::ranges::max_element(run.start), 0);
        std::int64_t floors = 0;
        for (std::int64_t r = 1; r <= memory; ++r) floors += memory / r;
        EXPECT_EQ(run.most_operations, 2 * floors);
        nearest = static_cast<double>(run.most_operations) /
                  (2 * harmonic(memory) + static_cast<double>(memory));
    }
    EXPECT_GT(nearest, 0.85);
}

// The proof counts O(M) inequalities for each of O(M) candidates. There are as many, of O(M) terms
// each: M requests of (0, 1) take M (M + 1)/2 and M (M + 1)(2M + 1)/6.
TEST(CountedRounds, AsPrintedTakesMCubed)
{
    double inequalities = 0, operations = 0;
    for (std::int64_t const M : {128, 512}) {
        auto const run =
            CountedRounds(Requests(static_cast<std::size_t>(M), request(0, 0, 1)), M).as_printed();
        EXPECT_EQ(run.most_inequalities, M * (M + 1) / 2);
        EXPECT_EQ(run.most_operations, M * (M + 1) * (2 * M + 1) / 6);
        if (M == 512) {
            EXPECT_NEAR(slope(inequalities, static_cast<double>(run.most_inequalities), 4), 2,
                        0.01);
            EXPECT_NEAR(slope(operations, static_cast<double>(run.most_operations), 4), 3, 0.01);
        }
        inequalities = static_cast<double>(run.most_inequalities);
        operations = static_cast<double>(run.most_operations);
    }
}

} // namespace
} // namespace crx_test
