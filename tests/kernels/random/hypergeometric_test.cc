#include "kernels/random/hypergeometric.cuh"
#include "support/hypergeometric_law.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

using crx_test::chi_square_over_threshold;

struct Sizes
{
    std::int64_t population, marked, draws;
};
std::vector<Sizes> const shapes = {
    {2, 1, 1},
    {10, 5, 5},
    {10, 9, 9},
    {40, 3, 17},
    {100, 50, 50},
    {100, 97, 60},
    {200, 100, 100},
    {500, 60, 100},
    {1000, 500, 500},
    {1000, 900, 950},
    {5000, 50, 2500},
    {20000, 9000, 700},
    {1000000, 450, 400000},
    {100000000, 20000000, 300},
    {1000, 500, 700},
    {3000, 2700, 1600},
    {60000, 30000, 30000},
    {1000000, 999000, 70000},
    {4294967294, 3000000000, 20000},
    {4294967294, 400000000, 400000},
};

using Method = std::int64_t (*)(std::int64_t, std::int64_t, std::int64_t, WordStream&);

// H0: the draws have the hypergeometric law. False alarm 1e-9 a shape and method, 6e-8 in all.
// Power: draws with replacement, planted below, are rejected in every shape where they differ.
TEST(Hypergeometric, HasItsLawByEveryMethod)
{
    auto const seed = crx_test::test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    WordStream words(seed, stream_policy, 1);
    for (auto const& [population, marked, draws] : shapes) {
        auto const p = crx_test::hypergeometric_probabilities(population, marked, draws);
        for (Method const method : {&hypergeometric<WordStream>, &hypergeometric_by_urn<WordStream>,
                                    &hypergeometric_by_blocks<WordStream>}) {
            auto const runs = method == &hypergeometric_by_urn<WordStream>
                                  ? std::min<std::int64_t>(50000, 2000000 / draws)
                                  : 100000;
            auto const statistic = chi_square_over_threshold(
                p, runs, [&] { return method(population, marked, draws, words); });
            EXPECT_LT(statistic, 1) << population << " " << marked << " " << draws;
        }
    }
}

TEST(Hypergeometric, DrawsWithReplacementAreCaught)
{
    WordStream words(crx_test::test_seed(), stream_policy, 2);
    for (auto const& [population, marked, draws] : {Sizes{100, 50, 50}, Sizes{1000, 900, 500}}) {
        auto const p = crx_test::hypergeometric_probabilities(population, marked, draws);
        auto const with_replacement = [&, n = population, m = marked, d = draws] {
            std::int64_t found = 0;
            for (std::int64_t k = 0; k < d; ++k)
                found +=
                    words.bounded(static_cast<std::uint64_t>(n)) < static_cast<std::uint64_t>(m);
            return found;
        };
        EXPECT_GT(chi_square_over_threshold(p, 100000, with_replacement), 4);
    }
}

// The same without the tests of places that need one: power against a hat that is taken for the
// law.
TEST(Hypergeometric, PlacesThatAreNotTestedAreCaught)
{
    WordStream words(crx_test::test_seed(), stream_policy, 4);
    for (auto const& [population, marked, draws] : {Sizes{20000, 9000, 700}, {1200, 500, 600}}) {
        HypergeometricByZiggurat const layers(population, marked, draws);
        ASSERT_TRUE(layers.cover());
        auto const p = crx_test::hypergeometric_probabilities(population, marked, draws);
        auto const untested = [&] {
            for (;;) {
                auto const k = layers.next(words).k;
                if (0 <= k && k <= draws) return k;
            }
        };
        EXPECT_GT(chi_square_over_threshold(p, 100000, untested), 2);
    }
}

// What hypergeometric() takes as a sign that they do not cover a law.
TEST(Hypergeometric, LayersCoverNoLawOfFewMarkedOrDrawn)
{
    WordStream cases(crx_test::test_seed(), stream_policy, 6);
    constexpr auto few = HypergeometricByZiggurat::least_marked;
    int covered = 0;
    for (int k = 0; k < 20000; ++k) {
        auto const population = static_cast<std::int64_t>(
            2 * few + cases.bounded(std::uint64_t{1} << cases.bounded(32)));
        auto const sizes = [&](std::int64_t least) {
            auto const half =
                k % 2 == 0 ? population / 2
                           : least + static_cast<std::int64_t>(cases.bounded(
                                         static_cast<std::uint64_t>(population / 2 - least + 1)));
            return cases.bounded(2) == 0 ? half : population - half;
        };
        auto const draws = cases.bounded(2) == 0 ? few - 1 : population - few + 1;
        EXPECT_FALSE(HypergeometricByZiggurat(population, sizes(0), draws).cover());
        EXPECT_FALSE(HypergeometricByZiggurat(population, draws, sizes(0)).cover());
        covered += HypergeometricByZiggurat(population, sizes(few), sizes(few)).cover();
    }
    EXPECT_GT(covered, 2000);
}

/// One word that is given, then others.
struct WordsBehind
{
    std::uint64_t first;
    WordStream& others;
    bool used = false;

    std::uint64_t next()
    {
        if (used) return others.next();
        used = true;
        return first;
    }
};

// H0: a place whose known bits leave two values open is the lower one as often as its part of the
// interval says: 20,000 draws each, within 7 standard deviations of the fraction, which happens by
// chance with probability 3e-12 each, 1e-9 in all.
TEST(Hypergeometric, PlacesBetweenTwoValuesHaveTheirProbabilities)
{
    WordStream words(crx_test::test_seed(), stream_policy, 5);
    int tested = 0;
    for (int trial = 0; trial < 200; ++trial) {
        auto const up_to = [&](std::uint64_t n) {
            return static_cast<std::int64_t>(words.bounded(n + 1));
        };
        auto const population = 2000000 + up_to(std::uint64_t{1} << (20 + words.bounded(12)));
        auto const marked = population / 3 + up_to(1000), draws = population / 2 - up_to(1000);
        HypergeometricByZiggurat const layers(population, marked, draws);
        auto const layer = words.bounded(HypergeometricZiggurat::layers), above = words.bounded(2);
        auto const unit = static_cast<long double>(layers.scale()) * HypergeometricZiggurat::area *
                          0x1p-35L / HypergeometricZiggurat::thickness(static_cast<int>(layer));
        auto const centre =
            static_cast<long double>(layers.rest()) / static_cast<long double>(layers.slope());
        // The place around the border that is `steps` from the mode.
        auto const steps = 1 + up_to(static_cast<std::uint64_t>(layers.scale() / 32));
        auto const border = static_cast<long double>(steps);
        auto const at = above ? (border - centre) / unit : (border + centre) / unit;
        if (at >= 0x77000000) continue; // in the tail
        auto const place = static_cast<std::uint64_t>(at);
        auto const nearer = at - std::floor(at); // the part in front of the border
        std::int64_t found = 0, further = 0;
        for (int run = 0; run < 20000; ++run) {
            WordsBehind next{place << 33 | above << 9 | layer, words};
            auto const k = layers.next(next).k - layers.mode();
            auto const front = above ? steps - 1 : -steps;
            found += k == front;
            further += k == (above ? steps : -steps - 1);
        }
        EXPECT_EQ(found + further, 20000);
        auto const p = static_cast<double>(nearer);
        EXPECT_NEAR(static_cast<double>(found) / 20000, p,
                    7 * std::sqrt(p * (1 - p) / 20000) + 1e-4)
            << population << " " << marked << " " << draws << " " << layer << " " << steps;
        ++tested;
    }
    EXPECT_GT(tested, 100);
}

// Where doubles decide, integers decide the same, so no processor's rounding enters a draw. Uniform
// words near the boundary are the hard ones: U is set to the ratio itself, moved by 2^-6 .. 2^-46.
TEST(Hypergeometric, TheFilterNeverContradictsTheIntegers)
{
    WordStream words(crx_test::test_seed(), stream_policy, 3);
    std::int64_t decided[2] = {}, left_open = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        auto const population =
            2 + static_cast<std::int64_t>(words.bounded(std::uint64_t{2} << words.bounded(31)));
        auto const up_to = [&](std::int64_t n) {
            return static_cast<std::int64_t>(words.bounded(static_cast<std::uint64_t>(n) + 1));
        };
        auto const marked = up_to(population / 2), draws = up_to(population / 2);
        auto ratio = hypergeometric_ratio(population, marked, draws,
                                          (draws + 1) * (marked + 1) / (population + 2));
        auto const k =
            ratio.mode() + (words.bounded(2) ? 1 : -1) * up_to(words.bounded(2) ? 200 : 15);
        if (!ratio.possible(k) || k == ratio.mode()) continue;
        // f(k)/f(mode) as a double by the same fractions the integers use.
        double value = 1;
        auto const quotient = [](std::uint64_t over, std::uint64_t under) {
            return static_cast<double>(over) / static_cast<double>(under);
        };
        for (auto j = ratio.mode(); j < k; ++j)
            value *= quotient(ratio.numerator(j), ratio.denominator(j));
        for (auto j = ratio.mode(); j > k; --j)
            value *= quotient(ratio.denominator(j - 1), ratio.numerator(j - 1));
        auto const move = std::ldexp(1, -6 - static_cast<int>(words.bounded(41)));
        auto const c = 1 + static_cast<std::int32_t>(words.bounded(32));
        auto const u = value * (1 + (words.bounded(2) ? move : -move)) * 32 / c;
        if (u >= 1 || u < 0x1p-20) continue;
        auto const spread = static_cast<std::uint32_t>(c);
        UniformHeight const height{spread * static_cast<std::uint64_t>(std::ldexp(u, 32)), spread,
                                   37, 0};
        auto const truth = ratio.bracket(k, 0, height.known(), height.unknown());
        int const verdicts[] = {ratio.filter(k, height), ratio.product_filter(k, height)};
        for (int f = 0; f < 2; ++f) {
            if (verdicts[f] == 0)
                ++left_open;
            else
                EXPECT_EQ(verdicts[f], truth) << trial << " by filter " << f;
            decided[f] += verdicts[f] != 0;
        }
    }
    for (auto const each : decided) EXPECT_GT(each, 500);
    EXPECT_GT(left_open, 100);
}

} // namespace
} // namespace crx
