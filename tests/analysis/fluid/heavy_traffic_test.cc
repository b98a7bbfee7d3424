#include "analysis/fluid/heavy_traffic.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx::fluid {
namespace {

constexpr Nanoseconds one_second = 1'000'000'000;

/// A path up to `until` seconds on which each of its `arrivals` prompts of one token waits `wait`
/// seconds, all but `there` to their completion.
IterationTally tally(std::int64_t until, std::int64_t arrivals, double wait, std::int64_t there = 0)
{
    IterationTally t;
    t.until = until * one_second;
    t.arrivals = t.arrived_tokens = arrivals;
    t.completed = t.completed_tokens = t.first_tokens = arrivals - there;
    auto const end = static_cast<Unsigned128>(std::llround(wait * 1e9));
    t.completion_time = t.first_token_time = end * static_cast<Unsigned128>(arrivals - there);
    t.arrival_time =
        static_cast<Unsigned128>((until * one_second - std::llround(wait * 1e9)) * there);
    t.peak_memory = 5;
    return t;
}

// A third of the paths has an arrival up to 10 s, two thirds up to 20 s, all up to 40 s, and all
// wait about 2 s: a path without arrivals is no path with latency 0, which would give a mean of
// 2/3 s, then 4/3 s, and an exponent of 0.8.
TEST(HeavyTrafficCurve, LeavesPathsWithoutArrivalsOutOfLatencies)
{
    std::vector<std::vector<IterationTally>> paths;
    for (int p = 0; p < 120; ++p) {
        auto const wait = 2 + (p / 20 % 2 == 0 ? 0.01 : -0.01);
        auto const kind = p / 40;
        paths.push_back({tally(10, kind == 0 ? 1 : 0, wait), tally(20, kind <= 1 ? 1 : 0, wait),
                         tally(40, 1, wait)});
    }
    auto const curve = heavy_traffic_curve(paths, 0, 0.95);
    for (auto const& point : curve.points) {
        EXPECT_NEAR(point.latency.mean, 2, 1e-6);
        EXPECT_NEAR(point.first_token.mean, 2, 1e-6);
        EXPECT_GT(point.latency.half_width, 0.001);
        EXPECT_LT(point.latency.half_width, 0.01);
    }
    EXPECT_NEAR(curve.latency.value, 0, 1e-6);
    EXPECT_NEAR(curve.first_token.value, 0, 1e-6);
}

// Waits that grow with the square root of the horizon: an exponent of 1/2, to the rounding of waits
// to nanoseconds.
TEST(HeavyTrafficCurve, FindsAnExponent)
{
    std::vector<std::vector<IterationTally>> const paths(
        2, {tally(10, 3, 0.1), tally(40, 7, 0.2), tally(160, 9, 0.4)});
    EXPECT_NEAR(exponent(paths, 0, latency, 0.95).value, 0.5, 1e-8);
}

// Where all agree nothing is known of the spread, and none of it is claimed.
TEST(HeavyTrafficCurve, GivesNoIntervalWhereAllAgree)
{
    std::vector<std::vector<IterationTally>> paths;
    for (int p = 0; p < 40; ++p) paths.push_back({tally(10, 3, 0.1), tally(20, 7, 0.1)});
    auto const curve = heavy_traffic_curve(paths, 0, 0.95);
    for (auto const& point : curve.points)
        for (auto const& m : {point.gap, point.throughput, point.latency, point.peak_memory}) {
            EXPECT_TRUE(std::isfinite(m.mean));
            EXPECT_TRUE(std::isnan(m.half_width)) << m.half_width;
        }
    EXPECT_NEAR(curve.peak_memory.value, 0, 1e-12);
    EXPECT_TRUE(std::isnan(curve.peak_memory.half_width)) << curve.peak_memory.half_width;
    EXPECT_TRUE(std::isnan(curve.latency.half_width)) << curve.latency.half_width;
    EXPECT_TRUE(std::isnan(curve.gap.value)); // the logarithm of 0
}

// Prompts are left in 15 of the 20 groups: the others have no slope, and an interval from those
// that have one would be of groups chosen by what they show. By hand: 15 prompts at 10 s, 30 at 20
// s.
TEST(HeavyTrafficCurve, GivesAnExponentWithoutIntervalWhereAGroupHasNone)
{
    std::vector<std::vector<IterationTally>> paths;
    for (int p = 0; p < 40; ++p)
        paths.push_back({tally(10, 3, 0.1, p < 15), tally(20, 7, 0.1, p < 15 ? 1 + p % 3 : 0)});
    auto const curve = heavy_traffic_curve(paths, 0, 0.95);
    EXPECT_NEAR(curve.gap.value, 0, 1e-12);
    EXPECT_TRUE(std::isnan(curve.gap.half_width)) << curve.gap.half_width;
}

} // namespace
} // namespace crx::fluid
