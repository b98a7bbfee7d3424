// AO section 5.1: with two types, prompt 1 and outputs 1 and 10,000 at equal rates, "assuming
// 10,000 for all yields memory utilization as low as 1/5000". Averaged over time it is one half.
#include "oracle/oracle.hh"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <numeric>

namespace crx {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

constexpr std::int64_t u = 10'000, reserved = 1 + u;

/// Tokens held, summed over the rounds of a request (1, o).
std::int64_t volume(std::int64_t o) { return o + o * (o + 1) / 2; }

/// Of places of 1 + u tokens that are never empty, `longs` of `all` requests long: tokens held over
/// tokens reserved, in the mean over time. The order of the requests does not matter.
Fraction utilisation(std::int64_t longs, std::int64_t all)
{
    return Fraction((all - longs) * volume(1) + longs * volume(u)) /
           (Fraction(reserved) * ((all - longs) + longs * u));
}

TEST(WorstLength, EqualRatesUseHalfOfMemoryOverTime)
{
    EXPECT_EQ(utilisation(1, 2), Fraction(50'015'002, 100'020'001)); // 0.50005
    EXPECT_EQ(utilisation(0, 1), Fraction(2, 10'001)); // 1/5000.5: only where nobody is long
    // One long one in a million is enough for 25 times that, one in 10^4 for a quarter of memory.
    EXPECT_GT(utilisation(1, 1'000'000), Fraction(1, 200));
    EXPECT_GT(utilisation(1, 10'000), Fraction(1, 4));
}

// The same by running A_max, which knows [1, 10,000] of everybody: M = 10,001 is one place.
// Whatever the order drawn, the tokens held are the fraction above; the least of any round is 2.
TEST(WorstLength, OneOfAMaxRunsAtThatMean)
{
    std::vector<oracle::Request> requests;
    for (int k = 0; k < 6; ++k) requests.push_back({0, 1, k % 2 == 0 ? 1 : u, 1, u});
    for (std::uint64_t number = 0; number < 3; ++number) {
        auto const schedule = oracle::simulate({"a-max"}, requests, reserved, 1, number);
        std::int64_t held = 0, end = 0;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            held += volume(requests[i].output);
            end = std::max(end, schedule.start[i] + requests[i].output);
        }
        EXPECT_EQ(Fraction(held, reserved * end), utilisation(1, 2));
    }
}

} // namespace
} // namespace crx
