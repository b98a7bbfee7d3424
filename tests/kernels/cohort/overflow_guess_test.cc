#include "kernels/cohort/overflow_guess.hh"

#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

TEST(OverflowGuess, IsThatOfOverflowDraw)
{
    // held = left says every likely number there is.
    for (std::int64_t likely = 1; likely < 5000; ++likely)
        ASSERT_EQ(overflow_guess(likely, 5000, 5000), OverflowDraw::guess(likely, 5000, 5000));
    std::mt19937_64 rng(crx_test::test_seed() + 902);
    auto const pick = [&](std::int64_t most) {
        return 1 + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(most));
    };
    for (int k = 0; k < 200000; ++k) {
        auto const left = pick(std::int64_t{1} << pick(24));
        auto const held = left + pick(std::int64_t{1} << pick(24));
        auto const excess = pick(held - 1);
        ASSERT_EQ(overflow_guess(excess, left, held), OverflowDraw::guess(excess, left, held))
            << excess << ", " << left << ", " << held;
    }
}

} // namespace
} // namespace crx
