#include "analysis/fluid/fit_clock.hh"

#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

TEST(NonNegativeLeastSquares, FindsWhatWasPutIn)
{
    std::mt19937_64 rng(3);
    auto const uniform = [&] { return static_cast<double>(rng() % 1000) / 100; };
    std::vector<std::array<double, 4>> rows;
    std::vector<double> right, pulled;
    for (int i = 0; i < 50; ++i) {
        rows.push_back({1, uniform(), uniform(), uniform()});
        right.push_back(5 + 2 * rows.back()[1] + 0.5 * rows.back()[3]);
        pulled.push_back(5 - 2 * rows.back()[1]);
    }
    auto const found = non_negative_least_squares(rows, right);
    EXPECT_NEAR(found[0], 5, 1e-9);
    EXPECT_NEAR(found[1], 2, 1e-9);
    EXPECT_NEAR(found[2], 0, 1e-9);
    EXPECT_NEAR(found[3], 0.5, 1e-9);
    // A slope below 0 is left out, not mirrored.
    EXPECT_EQ(non_negative_least_squares(rows, pulled)[1], 0);
}

// Requests one after the other, alone: rounds of d0 + d1 held + d3 with d0 = 1000, d1 = 2 and a
// prefill that also takes 3 a prompt token. What cannot be told apart, d0 and d3 with one request
// at a time, is told as one.
TEST(FitClock, FindsTheClockOfRequestsThatRanAlone)
{
    std::mt19937_64 rng(9);
    std::vector<MeasuredRequest> requests;
    std::int64_t time = 0;
    for (int i = 0; i < 40; ++i) {
        MeasuredRequest r;
        r.prompt = 100 + static_cast<std::int32_t>(rng() % 4000);
        r.output = 2 + static_cast<std::int32_t>(rng() % 300);
        r.scheduled = time;
        r.first_token = time + 1000 + 3 * r.prompt;
        r.last_token = r.first_token;
        for (int k = 2; k <= r.output; ++k) r.last_token += 1000 + 2 * (r.prompt + k);
        time = r.last_token + 50'000;
        requests.push_back(r);
    }
    auto const fit = fit_clock(requests);
    EXPECT_NEAR(fit.cost[0] + fit.cost[3], 1000, 30);
    EXPECT_NEAR(fit.cost[1], 2, 0.05);
    EXPECT_NEAR(fit.cost[2], 3, 0.05);
    EXPECT_GT(fit.explained, 0.999);
}

} // namespace
} // namespace crx
