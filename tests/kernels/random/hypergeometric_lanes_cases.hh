#pragma once

#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/hypergeometric_one.hh"

#include <algorithm>

namespace crx_test {

/// Batches of 1 to 16 draws against hypergeometric() one by one, some of the largest population or
/// with half of it marked; how many answers, or words that come next, differ. `planted`: one is
/// asked for a draw more.
inline std::int64_t differing_draws(void (*execute)(crx::HypergeometricDraw*, int), int batches,
                                    std::uint64_t seed, bool planted)
{
    using namespace crx;
    std::int64_t differing = 0;
    WordStream cases(seed, stream_policy, 0);
    auto const up_to = [&](std::int64_t n) {
        return static_cast<std::int64_t>(cases.bounded(static_cast<std::uint64_t>(n) + 1));
    };
    for (int batch = 0; batch < batches; ++batch) {
        BufferedWords words[16], alone[16];
        HypergeometricDraw draw[16];
        std::int64_t expected[16];
        auto const count = 1 + static_cast<int>(up_to(15));
        for (int j = 0; j < count; ++j) {
            words[j] = alone[j] =
                BufferedWords(seed, stream_policy + 1, static_cast<std::uint64_t>(16 * batch + j));
            auto const most = std::int64_t{2} << up_to(31);
            constexpr std::int64_t largest = 4294967294; // of the contract
            auto const population =
                up_to(15) == 0 ? largest : 2 + up_to(std::min(most, largest - 2));
            auto const marked = up_to(7) == 0 ? population / 2 : up_to(population);
            auto const draws = up_to(up_to(2) == 0 && population > 50 ? 50 : population);
            draw[j] = {population, marked, draws, -1, &words[j]};
            expected[j] = hypergeometric(population, marked, draws, alone[j]);
        }
        if (planted && draw[0].draws < draw[0].population) ++draw[0].draws;
        execute(draw, count);
        for (int j = 0; j < count; ++j)
            differing += draw[j].found != expected[j] || words[j].next() != alone[j].next();
    }
    return differing;
}

/// Draws whose first width is exactly a whole number, r, before 1 is added: with x = 16 r^2 - 1 the
/// population is 4 x - 2, the mode x - 1, denominator x (x + 1) and slope 4 x. How many differ.
inline std::int64_t differing_draws_at_whole_widths(void (*execute)(crx::HypergeometricDraw*, int),
                                                    std::uint64_t seed)
{
    using namespace crx;
    std::int64_t differing = 0;
    for (std::int64_t r = 16; r < 200; ++r) {
        BufferedWords words[16], alone[16];
        HypergeometricDraw draw[16];
        auto const x = 16 * r * r - 1;
        for (int j = 0; j < 16; ++j) {
            words[j] = alone[j] =
                BufferedWords(seed, stream_policy + 2, static_cast<std::uint64_t>(16 * r + j));
            draw[j] = {4 * x - 2, 2 * x - 2, 2 * x - 1, -1, &words[j]};
        }
        execute(draw, 16);
        for (int j = 0; j < 16; ++j)
            differing +=
                draw[j].found != hypergeometric(4 * x - 2, 2 * x - 2, 2 * x - 1, alone[j]) ||
                words[j].next() != alone[j].next();
    }
    return differing;
}

} // namespace crx_test
