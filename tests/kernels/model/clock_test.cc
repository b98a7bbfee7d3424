#include "kernels/model/clock.cuh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

// d0 = 10, d1 = 1.5, d2 = 0.25: 10 + floor(1.5 x 7) + floor(0.25 x 6) = 10 + 10 + 1.
TEST(Clock, RoundByHand)
{
    Clock const clock{ClockKind::affine, 10, 3 << 15, 1 << 14};
    EXPECT_EQ(clock.round(7, 6), 21);
    EXPECT_EQ(Clock{}.round(12345, 678), 1);
}

// Sums in closed form are those of adding up, round by round, and rounds_until is the least number
// that is enough: 20,000 random stretches.
TEST(Clock, ClosedFormsAreTheSums)
{
    std::mt19937_64 rng(crx_test::test_seed());
    auto const below = [&](std::uint64_t k) { return static_cast<std::int64_t>(rng() % k); };
    for (int k = 0; k < 20000; ++k) {
        Clock const clock{ClockKind::affine, 1 + below(100), below(1 << (rng() % 24)),
                          below(1 << 22)};
        Stretch const stretch{1 + below(500), below(40), below(200)};
        Rounds const rounds = 1 + below(k % 2 == 0 ? 40 : 400);
        std::int64_t sum = 0;
        std::vector<std::int64_t> after{0};
        for (Rounds r = 0; r < rounds; ++r) {
            sum += clock.round(stretch.held + r * stretch.growth, r == 0 ? stretch.prompts : 0);
            after.push_back(sum);
        }
        ASSERT_EQ(clock.elapsed(stretch, rounds), sum);
        auto const wanted = below(static_cast<std::uint64_t>(sum) + 50);
        Rounds least = 1;
        while (least < rounds && after[static_cast<std::size_t>(least)] < wanted) ++least;
        ASSERT_EQ(clock.rounds_until(stretch, wanted, rounds), least);
    }
}

// 2^31 rounds that each last longer take no longer to add up: sum of floor((a j + b) / 2^16) for
// a = 2^16 is exact by hand.
TEST(Clock, LongStretchesByHand)
{
    Clock const clock{ClockKind::affine, 5, 1 << 16, 0};
    std::int64_t const n = std::int64_t{1} << 30;
    EXPECT_EQ(clock.elapsed({3, 1, 0}, n), 5 * n + 3 * n + n * (n - 1) / 2);
    EXPECT_EQ(clock.rounds_until({3, 1, 0}, 5 * n + 3 * n + n * (n - 1) / 2, 2 * n), n);
    EXPECT_EQ(clock.rounds_until({3, 1, 0}, 5 * n + 3 * n + n * (n - 1) / 2 + 1, 2 * n), n + 1);
    EXPECT_EQ(clock.elapsed({0, 1 << 20, 0}, std::int64_t{1} << 31), time_limit);
}

} // namespace
} // namespace crx
