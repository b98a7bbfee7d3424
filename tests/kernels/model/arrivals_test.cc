#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/gamma_gaps.hh"
#include "kernels/cpu/single.hh"
#include "oracle/arrivals.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

Workload workload(std::int64_t n)
{
    Workload w;
    w.seed = 91;
    w.requests = n;
    w.memory = 10;
    w.output_value = {1};
    w.output_threshold = {~std::uint64_t{0}};
    return w;
}

Workload poisson(std::int64_t n, ClockKind clock, std::vector<RateStep> steps, bool repeat = false)
{
    auto w = workload(n);
    if (clock == ClockKind::affine) w.clock = {clock, 100, 0, 0};
    w.arrival_kind = ArrivalKind::poisson;
    w.rate_step = std::move(steps);
    w.rate_repeats = repeat;
    return w;
}

std::vector<std::int64_t> plain(Workload const& w, std::int64_t number)
{
    std::vector<oracle::RateStep> steps;
    for (auto const& step : w.rate_step) steps.push_back({step.duration, step.rate});
    return oracle::poisson_arrivals(
        oracle::WordStream(w.seed, static_cast<std::uint64_t>(number), 2),
        static_cast<std::size_t>(w.requests), steps, w.rate_repeats,
        w.clock.affine() ? 1'000'000'000'000'000'000 : 1'000'000'000, {w.gap_end, w.gap_threshold});
}

TEST(Arrivals, AtZeroUsesNoWord)
{
    EXPECT_EQ(generate_single(workload(3), 5).arrival, (std::vector<Instant>{0, 0, 0}));
}

// Rates from one arrival in many rounds to many in one, steps that end between arrivals, rates of
// 0, periods far shorter than a gap: every arrival of 600 instances is the plain version's.
TEST(Arrivals, PoissonEqualsThePlainVersion)
{
    std::mt19937_64 rng(crx_test::test_seed());
    auto const below = [&](std::uint64_t k) { return static_cast<std::int64_t>(rng() % k); };
    for (std::int64_t k = 0; k < 600; ++k) {
        auto const clock = k % 2 == 0 ? ClockKind::unit : ClockKind::affine;
        bool const repeat = below(2) == 0;
        std::vector<RateStep> steps;
        for (auto left = 1 + below(4); left > 0; --left) {
            std::int64_t const scale = clock == ClockKind::affine ? 1'000'000'000 : 1;
            auto const rate =
                static_cast<std::int64_t>(1e9 * std::exp2(static_cast<double>(below(16)) - 8));
            steps.push_back({(1 + below(20)) * scale + below(3), below(4) == 0 ? 0 : rate});
        }
        if (steps.back().rate == 0) steps.back().rate = 700'000'000;
        auto const w = poisson(12, clock, steps, repeat);
        ASSERT_EQ(generate_single(w, k).arrival, plain(w, k)) << "case " << k;
    }
}

// Gamma gaps in steps of rates: every arrival is the plain version's.
TEST(Arrivals, GapsOfATableEqualThePlainVersion)
{
    for (double const variation : {0.25, 1.0, 3.0, 16.0}) {
        auto const gaps = gamma_gaps(variation);
        for (std::int64_t k = 0; k < 100; ++k) {
            auto w = poisson(12, k % 2 == 0 ? ClockKind::unit : ClockKind::affine,
                             {{7, 0}, {1'000'000'000, 2'500'000'000}, {5, 70'000'000}}, true);
            w.gap_end = gaps.end;
            w.gap_threshold = gaps.threshold;
            ASSERT_EQ(generate_single(w, k).arrival, plain(w, k)) << variation << ", " << k;
        }
    }
}

TEST(Arrivals, RatesFarFromOneAreServedExactly)
{
    for (auto const clock : {ClockKind::unit, ClockKind::affine})
        for (std::int64_t const rate : {1000ll, 50'000'000'000ll, 1'000'000'000'000'000'000ll}) {
            auto const w = poisson(40, clock, {{0, rate}});
            EXPECT_EQ(generate_single(w, 3).arrival, plain(w, 3)) << rate;
        }
}

// 10^9 whole periods lie between two arrivals; they are passed at once.
TEST(Arrivals, ManyPeriodsAreSkipped)
{
    auto const w = poisson(5, ClockKind::unit, {{1, 1}, {1, 0}}, true);
    auto const arrival = generate_single(w, 0).arrival;
    auto const once = generate_single(poisson(5, ClockKind::unit, {{0, 1}}), 0).arrival;
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(arrival[i], 2 * once[i] - 1);
}

// Beyond the end of time arrivals stay before it, in order.
TEST(Arrivals, StayBeforeTheEndOfTime)
{
    for (bool const repeat : {false, true}) {
        auto const w = poisson(40, ClockKind::affine, {{1, 1}}, repeat);
        auto const arrival = generate_single(w, 3).arrival;
        EXPECT_TRUE(std::is_sorted(arrival.begin(), arrival.end()));
        EXPECT_LT(arrival.back(), time_limit);
    }
}

// Word t gives the number of arrivals of round t; docs/random-choices.md followed by hand.
TEST(Arrivals, PoissonRoundsFollowTheWords)
{
    auto w = workload(50);
    w.arrival_kind = ArrivalKind::poisson_rounds;
    auto const law = poisson_law(0.8);
    w.round_value = law.value;
    w.round_threshold = law.threshold;
    auto const arrival = generate_single(w, 4).arrival;
    oracle::WordStream words(91, 4, 2);
    std::size_t i = 0;
    for (Instant t = 0; i < 50; ++t) {
        auto const word = words.next();
        std::size_t k = 0;
        while (k + 1 < law.value.size() && word >= law.threshold[k]) ++k;
        for (auto left = law.value[k]; left > 0 && i < 50; --left) ASSERT_EQ(arrival[i++], t);
    }
}

/// Largest distance of the gaps between the points, in units of the rate's integral, from the
/// exponential law, over the threshold that it passes with probability 1e-9 (Massart 1990).
double distance_over_threshold(Workload const& w, double planted)
{
    auto const arrival = generate_single(w, 0).arrival;
    // 1 s at 300 a second, 1 s at none, 2 s at 50, and again.
    auto const integral = [planted](Instant t) {
        double const seconds = static_cast<double>(t) * 1e-9;
        double const periods = std::floor(seconds / 4), rest = seconds - 4 * periods;
        return periods * (300 * planted + 100) + 300 * planted * std::min(rest, 1.0) +
               50 * std::max(0.0, rest - 2);
    };
    std::vector<double> gap;
    double last = 0;
    for (auto const t : arrival) {
        gap.push_back(integral(t) - last);
        last = integral(t);
    }
    std::sort(gap.begin(), gap.end());
    auto const n = static_cast<double>(gap.size());
    double largest = 0;
    for (std::size_t k = 0; k < gap.size(); ++k) {
        double const cdf = -std::expm1(-gap[k]), at = static_cast<double>(k);
        largest = std::max({largest, cdf - at / n, (at + 1) / n - cdf});
    }
    return largest * std::sqrt(n) / std::sqrt(std::log(2e9) / 2);
}

// H0: under the rate's integral the points are those of a process of rate 1. False alarm 1e-9 for
// any seed. The planted fault, a rate 3 % larger, moves the distribution function by 0.008, more
// than twice the threshold of 0.0033.
TEST(Arrivals, VaryingRatesHaveTheirLaw)
{
    SCOPED_TRACE("rerun: CRX_TEST_SEED=" + std::to_string(crx_test::test_seed()));
    std::int64_t const second = 1'000'000'000;
    auto w = poisson(1'000'000, ClockKind::affine,
                     {{second, 300 * second}, {second, 0}, {2 * second, 50 * second}}, true);
    w.seed = crx_test::test_seed();
    EXPECT_LT(distance_over_threshold(w, 1), 1);
    EXPECT_GT(distance_over_threshold(w, 1.03), 1);
}

} // namespace
} // namespace crx
