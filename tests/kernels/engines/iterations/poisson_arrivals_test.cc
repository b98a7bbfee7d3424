#include "oracle/prompt_arrivals.hh"
#include "support/poisson_path.hh"

#include <algorithm>
#include <boost/math/distributions/poisson.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

std::vector<oracle::PromptProcess> processes_of(PoissonRates const& rates)
{
    auto const table = rates.table();
    std::vector<oracle::PromptProcess> out;
    for (std::int32_t j = 0; j < table.types; ++j) {
        auto const& law = table.law(j);
        oracle::PromptProcess process{
            law.bits, {std::begin(law.threshold), std::end(law.threshold)}, {}, table.slice_length};
        if (table.keep != nullptr)
            process.keep.assign(table.keep + j * table.slices, table.keep + (j + 1) * table.slices);
        out.push_back(process);
    }
    return out;
}

/// A few types with rates from far below one a path to thousands, some that vary.
PoissonRates random_rates(std::mt19937_64& random, std::size_t types)
{
    std::size_t const slices = random() % 2 == 0 ? 1 : 1 + random() % 4;
    std::vector<std::vector<double>> rate(slices, std::vector<double>(types));
    for (auto& slice : rate)
        for (auto& each : slice)
            each = slices > 1 && random() % 4 == 0
                       ? 0
                       : std::exp(std::uniform_real_distribution<double>(-3, 9)(random));
    return poisson_rates(rate, 1 + static_cast<Nanoseconds>(random() % 50'000'000));
}

// Events, quorums and totals are those of the plain oracle.
TEST(PoissonArrivals, AreEquivalentToOracle)
{
    std::mt19937_64 random(crx_test::test_seed());
    std::int64_t compared = 0;
    for (std::uint64_t path = 0; path < 300; ++path) {
        auto const types = static_cast<std::int32_t>(1 + random() % 6);
        auto const rates = random_rates(random, static_cast<std::size_t>(types));
        auto const until = static_cast<Nanoseconds>(1'000'000 + random() % 250'000'000);
        auto const all =
            oracle::prompt_arrivals(processes_of(rates), crx_test::test_seed(), path, until);
        SCOPED_TRACE(testing::Message() << "path " << path << ", seed " << crx_test::test_seed());

        std::vector<std::int64_t> quorum(static_cast<std::size_t>(types), 1);
        if (path % 2 == 0)
            for (auto& n : quorum) n = static_cast<std::int64_t>(1 + random() % 300);
        crx_test::OwnedArrivals owned(rates, path, quorum, {until / 3, until / 2, until});
        auto& arrivals = owned.arrivals;

        std::vector<std::int64_t> seen(static_cast<std::size_t>(types), 0);
        for (auto const& [time, type] : all) {
            if (++seen[type] % quorum[type] != 0) continue;
            ASSERT_EQ(arrivals.time(), time);
            ASSERT_EQ(arrivals.type(), static_cast<std::int32_t>(type));
            ASSERT_EQ(arrivals.prompts(), quorum[type]);
            arrivals.advance();
            ++compared;
        }
        ASSERT_GT(arrivals.time(), until);
        for (auto const checkpoint : owned.checkpoints)
            for (std::int32_t j = 0; j < types; ++j) {
                std::int64_t count = 0, sum = 0;
                for (auto const& [time, type] : all) {
                    if (time > checkpoint || type != static_cast<std::size_t>(j)) continue;
                    ++count;
                    sum += time;
                }
                auto const totals = arrivals.totals(j, checkpoint);
                ASSERT_EQ(totals.count, count);
                ASSERT_TRUE(totals.time == static_cast<Unsigned128>(sum));
            }
    }
    EXPECT_GT(compared, 10'000);
}

// A block of this rate is 2^38 ns with 82 arrivals on average: 1000 are past the block of the last
// checkpoint, without one they are not.
TEST(PoissonArrivals, EndAfterTheLastCheckpoint)
{
    auto const rates = poisson_rates({{0.3}});
    crx_test::OwnedArrivals owned(rates, 2, {}, {1, 1000}), endless(rates, 2);
    for (int k = 0; k < 1000; ++k) {
        owned.arrivals.advance();
        endless.arrivals.advance();
    }
    EXPECT_EQ(owned.arrivals.time(), PoissonArrivals::never);
    EXPECT_LT(endless.arrivals.time(), PoissonArrivals::never);
    EXPECT_EQ(owned.arrivals.totals(0, 1000).count, 0);
}

// The only arrivals are in a slice that no checkpoint reaches, and the words of the stream, for
// some 2200 s at this rate, end before it: the path was given up there.
TEST(PoissonArrivals, NothingIsDrawnOnTheWayToALaterSlice)
{
    auto const rates = poisson_rates({{0}, {1e6}}, 10'000'000'000'000);
    crx_test::OwnedArrivals owned(rates, 0, {}, {1'000'000, 100'000'000});
    EXPECT_EQ(owned.arrivals.time(), PoissonArrivals::never);
    EXPECT_EQ(owned.arrivals.totals(0, 100'000'000).count, 0);
}

// By hand: all words of a block zero but for the number would put every arrival at its beginning;
// a table of one value draws it always.
TEST(BlockLaw, IsThePoissonLaw)
{
    for (double const rate : {1e-12, 0.3, 1.0, 57.0, 6000.0, 1e9}) {
        auto const law = block_law(rate);
        auto const mean = rate * std::ldexp(1e-9, law.bits);
        EXPECT_LE(mean, 128);
        EXPECT_TRUE(mean > 64 || law.bits == 61) << rate;
        boost::math::poisson_distribution<long double> const poisson(mean);
        for (int n = 0; n < BlockLaw::most; ++n)
            EXPECT_NEAR(static_cast<double>(law.threshold[n]) * 0x1p-64,
                        static_cast<double>(cdf(poisson, n)), 1e-13)
                << rate << " " << n;
        EXPECT_GT(law.threshold[BlockLaw::most - 1], ~std::uint64_t{0} - 64) << rate;
        for (std::uint64_t byte = 0; byte < 256; ++byte) // the guide skips nothing
            if (law.guide[byte] > 0) {
                EXPECT_GE(byte << 56, law.threshold[law.guide[byte] - 1]);
            }
    }
}

/// Largest distance between the empirical distribution of the gaps and the exponential one, times
/// sqrt(gaps), over the threshold that probability 1e-9 exceeds (Massart 1990).
template <class Change>
double gaps_off(double rate, Change change)
{
    auto const rates = poisson_rates({{rate}});
    crx_test::OwnedArrivals owned(rates, 7);
    std::vector<double> gaps;
    double last = 0;
    while (gaps.size() < 1 << 18) {
        auto const now = change(static_cast<double>(owned.arrivals.time()) * 1e-9 * rate);
        gaps.push_back(now - last);
        last = now;
        owned.arrivals.advance();
    }
    std::sort(gaps.begin(), gaps.end());
    auto const n = static_cast<double>(gaps.size());
    double largest = 0;
    for (std::size_t k = 0; k < gaps.size(); ++k) {
        auto const cdf = -std::expm1(-gaps[k]), at = static_cast<double>(k);
        largest = std::max({largest, cdf - at / n, (at + 1) / n - cdf});
    }
    return largest * std::sqrt(n) / std::sqrt(std::log(2e9) / 2);
}

// H0: gaps between the arrivals of one type are exponential. False alarm 2e-9. Detectable: a
// distribution function that is off by 0.013; a rate that is off by 5 % is.
TEST(PoissonArrivals, HaveExponentialGaps)
{
    for (double const rate : {0.01, 3323.0}) {
        EXPECT_LT(gaps_off(rate, [](double t) { return t; }), 1) << rate;
        EXPECT_GT(gaps_off(rate, [](double t) { return 1.05 * t; }), 1) << rate;
    }
}

} // namespace
} // namespace crx
