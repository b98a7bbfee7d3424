// A_max on any outputs where u does not divide M: the factor M/(u floor(M/u)) of its upper bound.
#include "analysis/bounds/two_point_bounds.hh"
#include "oracle/oracle.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace crx::bounds {
namespace {

// For M that u does not divide the second term takes M/(u floor(M/u)), at most (2u-1)/u and less
// than 2: still below Theorem 3.4 as printed, from alpha = 0.009 down or, at l = 1, from u = 24 on.
TEST(AMaxAnyOutputs, Theorem34AsPrintedIsAboveItWhateverTheMemory)
{
    for (double alpha = 0.009; alpha > 1e-9; alpha *= 0.99)
        EXPECT_LT(2 * a_max_any_outputs(alpha) - 1, a_max_lower_as_printed(alpha));
    auto const at_worst = [](double u) {
        return 1 + (2 * u - 1) / u * (a_max_any_outputs(1, u, 0) - 1);
    };
    for (double u = 24; u < 112; ++u) EXPECT_LT(at_worst(u), a_max_lower_as_printed(1 / u));
    EXPECT_LT(1 / 112.0, 0.009);
    EXPECT_GT(at_worst(23), a_max_lower_as_printed(1 / 23.0));
}

/// n requests, all of output l and known to lie in [l, u], s = 0: A_max over a schedule that starts
/// `side` of them every `gap` rounds, whose memory is checked.
double a_max_over_steady_starts(std::int64_t l, std::int64_t u, std::int64_t memory,
                                std::int64_t gap, std::int64_t side)
{
    constexpr std::int64_t n = 400;
    std::vector<oracle::Request> const requests(n, {0, 0, l, l, u});
    auto const schedule = oracle::simulate({"a-max"}, requests, memory, 1, 0);
    std::int64_t total = 0, steady = 0;
    std::vector<std::int64_t> held(static_cast<std::size_t>(n * gap + l));
    for (std::int64_t i = 0; i < n; ++i) {
        total += schedule.start[static_cast<std::size_t>(i)] + l;
        auto const start = i / side * gap;
        steady += start + l;
        for (std::int64_t age = 1; age <= l; ++age)
            held[static_cast<std::size_t>(start + age - 1)] += age;
    }
    EXPECT_LE(std::ranges::max(held), memory);
    return static_cast<double>(total) / static_cast<double>(steady);
}

// "u divides M" is needed: M = 2u - 1 holds one request of A_max, and others use nearly all of it.
TEST(AMaxAnyOutputs, WhereUDoesNotDivideMTheFactorIsNeeded)
{
    auto const ones = a_max_over_steady_starts(1, 4, 7, 1, 7); // tends to 7
    EXPECT_GT(ones, a_max_any_outputs(1, 4, 0));
    EXPECT_GT(ones, a_max_lower_as_printed(0.25));
    EXPECT_LT(ones, 1 + 7.0 / 4 * (a_max_any_outputs(1, 4, 0) - 1));
    auto const hundreds = a_max_over_steady_starts(100, 400, 699, 8, 1); // tends to 12.5
    EXPECT_GT(hundreds, a_max_any_outputs(0.25));
    EXPECT_LT(hundreds, 1 + 699.0 / 400 * (a_max_any_outputs(100, 400, 0) - 1));
    RecordProperty("ones", std::to_string(ones));
    RecordProperty("hundreds", std::to_string(hundreds));
}

} // namespace
} // namespace crx::bounds
