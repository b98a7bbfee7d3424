// Identities and inequalities of docs/proofs that no short form of a claim looks at, on grids.
#include "analysis/adversary/theorem_4_1.hh"
#include "analysis/bounds/two_point_bounds.hh"
#include "oracle/oracle.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

/// a_j of docs/proofs/learning.md: what those that started j rounds ago ask for, a request.
double asked(int s, int j, int u) { return j < u ? (s + j + 1) / (2. * j + 1) : 0; }

TEST(ProofOfLearning, StepsAreARenewalLaw)
{
    for (int const s : {0, 1, 8, 64})
        for (int const u : {2, 4, 16, 64, 256}) {
            double sum = 0;
            for (int j = 1; j <= u; ++j) {
                auto const p = (asked(s, j - 1, u) - asked(s, j, u)) / asked(s, 0, u);
                EXPECT_GT(p, 0);
                sum += p;
                if (j == 1 && u > 1) {
                    EXPECT_NEAR(p, (2. * s + 1) / (3. * (s + 1)), 1e-14);
                }
            }
            EXPECT_NEAR(sum, 1, 1e-12);
        }
}

TEST(ProofOfLearning, LimitIsNearlyLinear)
{
    for (int const u : {256, 4'096, 65'536}) {
        double above = 0, below = 0;
        for (int k = 1; k <= u; ++k) {
            above += k / (2. * k - 1);
            below += 1 / (2. * k - 1);
        }
        EXPECT_NEAR(above / below, u / (std::log(u) + 1.963) + 0.5, 0.002 * above / below);
    }
}

// sum_i N_i^2 4^i <= (16/3) sum_r (2r - 1) G_r^2, in whole numbers, and nearly met.
TEST(ProofOfTheLadder, SquaresOfLevelsAreBelowTheVolume)
{
    std::mt19937_64 rng(crx_test::test_seed());
    double nearest = 0;
    for (int trial = 0; trial < 20'000; ++trial) {
        int const levels = 1 + static_cast<int>(rng() % 8), u = 1 << levels;
        std::vector<std::int64_t> at_least(static_cast<std::size_t>(u) + 2);
        auto const kinds = 1 + rng() % 4;
        for (std::uint64_t k = 0; k < kinds; ++k) { // often one above a level, which is worst
            auto length = 1 + static_cast<int>(rng() % static_cast<std::uint64_t>(u));
            if (rng() % 2 == 0)
                length = std::min(u, 1 + (1 << rng() % static_cast<std::uint64_t>(levels)));
            auto const count = 1 + static_cast<std::int64_t>(rng() % 50);
            for (int r = 1; r <= length; ++r) at_least[static_cast<std::size_t>(r)] += count;
        }
        std::int64_t pairs = 0, squares = at_least[1] * at_least[1]; // N_0 = n
        for (int r = 1; r <= u; ++r)
            pairs += (2 * r - 1) * at_least[static_cast<std::size_t>(r)] *
                     at_least[static_cast<std::size_t>(r)];
        for (int i = 1; i <= levels; ++i) {
            auto const more = at_least[(std::size_t{1} << (i - 1)) + 1];
            squares += more * more << (2 * i);
        }
        ASSERT_LE(3 * squares, 16 * pairs);
        nearest = std::max(nearest,
                           3. * static_cast<double>(squares) / (16. * static_cast<double>(pairs)));
    }
    EXPECT_GT(nearest, 0.5);
}

TEST(ProofOfAMax, FallsWithThePromptAndDecidesTheorem33)
{
    for (double const l : {1., 3., 10.})
        for (double const u : {10., 40., 200.}) {
            double last = 1e300;
            for (double const s : {0., 1., 5., 20., 100.}) {
                auto const bound = bounds::a_max_any_outputs(l, u, s);
                EXPECT_LE(bound, last * (1 + 1e-12));
                last = bound;
            }
            if (l / u <= 0.24) {
                EXPECT_LT(bounds::a_max_any_outputs(l, u, 0), bounds::a_max_upper(l / u));
            }
        }
    EXPECT_LT(bounds::a_max_any_outputs(0.24), bounds::a_max_upper(0.24));
    EXPECT_GT(bounds::a_max_any_outputs(0.25), bounds::a_max_upper(0.25));
}

// The best c of the dyadic lengths, by looking at all of them.
TEST(ProofOfAMax, DyadicIsTheBestShare)
{
    for (int const K : {1, 2, 4, 6, 10}) {
        double best = 0;
        for (int k = 0; k <= 2'000; ++k) {
            auto const c = k / 1'000.;
            best = std::max(best, std::ldexp((1 + c * K / 2) / (1 + 3 * c * c * K / 4), K));
        }
        EXPECT_NEAR(bounds::a_max_dyadic(std::ldexp(1, -K)), best, 1e-5 * best);
    }
}

// Steps 2 to 4 of docs/proofs/identical_requests.md: the objective by its prices, the lower bound
// that step 2 gives for it, and 5/8 + rho z/2 < 2 rho max(1, D).
TEST(ProofOfIdenticalRequests, TheSumOfTheBatchesIsBelowTwiceTheDual)
{
    double nearest = 0;
    for (int const s : {0, 1, 2, 5, 20, 100})
        for (int const o : {1, 2, 3, 4, 7, 16, 51, 200})
            for (int const memory : {s + o, 2 * (s + o) - 1, 2 * (s + o), 7 * (s + o) + 3})
                for (int const more : {1, 2, 5, 30, 1'000}) {
                    int const m = memory / (s + o), n = m + more;
                    double const q = static_cast<double>(n) / memory, z = q * (s + o);
                    double const rho = static_cast<double>(memory) / ((s + o) * m);
                    double const beta = 2. * s + o + 1, d = 2 / (beta * o);
                    double const a = (o - 1) * (3. * s + 2 * o + 2) / (3. * o * beta);
                    EXPECT_LE(a, 2. * (o - 1) / (3. * o) * (1 + 1e-12));
                    EXPECT_GT(q * beta, z);
                    double dual = 0; // (22) over n o: y/o less M/(n o) times the sum of the prices
                    double const y = o * (q * beta / 2 - a);
                    if (y > 0) {
                        double prices = 0;
                        for (double price = q; price > 0; price -= d) prices += price;
                        EXPECT_LE(prices, (q * q / (2 * d) + q / 2 + d / 8) * (1 + 1e-9));
                        dual = y / o - prices / (q * o) + 1;
                        auto const least =
                            1 + q * beta / 4 - a - 1 / (2. * o) - 1 / (4 * q * beta * o * o);
                        EXPECT_GE(dual, least - 1e-9 * std::abs(least));
                        EXPECT_GT(2 * least, 5. / 8 + z / 2);
                    } else {
                        EXPECT_LT(z, 4. / 3);
                    }
                    auto const ratio = (5. / 8 + rho * z / 2) / (2 * rho * std::max(1., dual));
                    EXPECT_LT(ratio, 1) << s << ' ' << o << ' ' << memory << ' ' << n;
                    nearest = std::max(nearest, ratio);
                }
    EXPECT_GT(nearest, 0.9);
}

// docs/proofs/adaptive_instance.md: the sum of step 1 is T, and T is at least (11/60) k times the
// larger of step 2's schedules.
TEST(ProofOfTheAdaptiveInstance, EveryPolicyHasElevenHundredTwentieths)
{
    double nearest = 0;
    for (std::int64_t k = 1; k <= 3'000; ++k) {
        std::int64_t early = 0, latencies = 0;
        for (std::int64_t j = 0; j <= k - 2; ++j) {
            early += j / 2;
            latencies += j / 2 * (k - 1 - j);
        }
        auto const total = 4 * k * k - 1 + k * (2 * k * k - early) + latencies;
        ASSERT_EQ(total, theorem_4_1_latency(k));
        ASSERT_GE(60 * total, 11 * k * (10 * k * k - 2)) << k;
        nearest = std::max(nearest, 11. * static_cast<double>(k * (10 * k * k - 2)) /
                                        (60. * static_cast<double>(total)));
    }
    EXPECT_GT(nearest, 0.99); // the constant is that of large k
}

/// TEL of starts, where what is held in every round fits; else none.
std::int64_t feasible_latency(std::vector<oracle::Request> const& requests,
                              std::vector<std::int64_t> const& starts, std::int64_t memory)
{
    std::vector<std::int64_t> held;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        auto const end = static_cast<std::size_t>(starts[i] + requests[i].output);
        if (held.size() <= end) held.resize(end + 1);
        for (std::int64_t j = 1; j <= requests[i].output; ++j)
            held[static_cast<std::size_t>(starts[i] + j)] += requests[i].prompt + j;
        total += starts[i] + requests[i].output;
    }
    for (auto const tokens : held) EXPECT_LE(tokens, memory);
    return total;
}

// docs/proofs/unbounded.md, by the oracle: both families, with the schedules of the proof.
TEST(ProofOfUnbounded, FamiliesHaveTheConstantsOfTheTheorems)
{
    for (std::int64_t root = 2; root <= 12; ++root) {
        auto const memory = root * root;
        std::vector<oracle::Request> mixed, long_one{{0, 1, memory - 2, memory - 2, memory - 2}};
        std::vector<std::int64_t> small_first, large_first{root};
        for (std::int64_t i = 0; i < root; ++i) {
            mixed.push_back({0, memory - 1, 1, 1, 1});
            long_one.push_back(mixed.back());
            auto const batches = memory / (memory / 3) + (memory % (memory / 3) != 0);
            small_first.push_back(2 * std::max<std::int64_t>(batches, 4) + i);
            large_first.push_back(i);
        }
        for (std::int64_t i = 0; i < memory; ++i) {
            mixed.push_back({0, 1, 2, 2, 2});
            small_first.push_back(2 * (i / (memory / 3)));
        }
        auto const other = feasible_latency(mixed, small_first, memory);
        for (auto const* id : {"mc-sf", "mc-benchmark"}) {
            auto const total = oracle::simulate({id}, mixed, memory, 1, 0).total_latency;
            EXPECT_GE(2 * total, 2 * memory * root + 5 * memory);
            EXPECT_GE(13 * total, 2 * root * other) << id << root;
        }
        if (root < 3) continue;
        auto const total = oracle::simulate({"mc-sf-total"}, long_one, memory, 1, 0).total_latency;
        EXPECT_GE(3 * total, 2 * root * feasible_latency(long_one, large_first, memory)) << root;
    }
}

// docs/proofs/geometric.md, steps 1 to 3: the formula is the quotient of the sums.
TEST(ProofOfGeometric, FormulaIsTheQuotientOfTheSums)
{
    for (double const q : {0.05, 0.3, 0.5, 0.7, 0.85, 0.95}) {
        double above = 0, below = 0;
        constexpr int u = 700; // 0.95^700 < 1e-15
        for (int i = 1; i <= u; ++i)
            for (int j = 1; j <= u; ++j) {
                double const m = std::min(i, j), x = std::pow(q, i + j - 2);
                above += x * (i * j / 2. + m * m - m * m * m / (2. * std::max(i, j)));
                below += x * m * m;
            }
        auto const e = (1 + q * q) / std::pow(1 + q, 3);
        auto const bracket = 0.5 - e * (1 - q) / 2 - (1 + 4 * q + q * q) * std::log1p(q) / q +
                             3 * q + 3 * q / ((1 + q) * (1 + q)) + e;
        EXPECT_NEAR(above / below, 1 + bracket / ((1 + q) * e), 1e-10);
        EXPECT_LT(above / below, 10 - 12 * std::log(2.));
    }
}

// docs/proofs/type_blind.md, step 1: no third batch is full.
TEST(ProofOfTypeBlind, ThirdBatchesPassNineTokens)
{
    int cases = 0;
    for (int a = 0; a <= 9; ++a)
        for (int b = 0; a + 2 * b <= 9; ++b) {
            if ((9 - a - 2 * b) % 3 != 0) continue;
            auto const fresh = 9 - 2 * a; // at stage 0 of the second batch, with a at stage 1
            if (fresh < 0) continue;      // then the second is not full
            EXPECT_GT(2 * fresh + 3 * a, 9);
            EXPECT_LE(a + b, 9);
            ++cases;
        }
    EXPECT_GT(cases, 5);
}

// The inequality and the fill of docs/proofs/align.md, in whole numbers.
TEST(ProofOfAlign, SmallRequestsKeepTheirFractions)
{
    for (std::int64_t n = 1; n <= 10'000; n += 37) {
        // (3 N + 3)/(2 N + 1)^2 <= 3 N/(4 N^2): the first batch ends its group.
        EXPECT_LE((3 * n + 3) * 4 * n * n, 3 * n * (2 * n + 1) * (2 * n + 1));
        // N (0, 2), N (0, 3) and 7N/10 (9, 1) fill 12 N; the mean of their outputs is 57/27.
        EXPECT_EQ(10 * (2 * n + 3 * n) + 7 * n * 10, 10 * 12 * n);
        EXPECT_EQ(27 * (20 * n + 30 * n + 7 * n), 57 * 27 * n);
    }
}

} // namespace
} // namespace crx
