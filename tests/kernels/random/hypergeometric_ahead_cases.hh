#pragma once

#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/words_ahead.hh"
#include "kernels/simd/levels.hh"

#include <algorithm>

namespace crx_test {

using DrawAhead = std::int64_t(std::int64_t population, std::int64_t marked, std::int64_t draws,
                               crx::WordsAhead& words);

/// Series of 20 draws by the same words, by `draw` and by hypergeometric(); how many answers, or
/// words that come next, differ. `planted`: one is asked for a draw more.
inline std::int64_t differing_series(DrawAhead* draw, int series, std::uint64_t seed, bool planted)
{
    using namespace crx;
    std::int64_t differing = 0;
    WordStream cases(seed, stream_policy, 0);
    auto const up_to = [&](std::int64_t n) {
        return static_cast<std::int64_t>(cases.bounded(static_cast<std::uint64_t>(n) + 1));
    };
    for (int k = 0; k < series; ++k) {
        WordsAhead words(seed, stream_policy + 1, static_cast<std::uint64_t>(k)), alone = words;
        for (int turn = 0; turn < 20; ++turn) {
            // Mostly so few that a table holds them, up to the most that it does, and others.
            auto const most = std::int64_t{2} << up_to(up_to(7) == 0 ? 24 : 10);
            auto const population = up_to(15) == 0 ? 4090 + up_to(10) : 2 + up_to(most);
            auto const marked = up_to(7) == 0 ? population / 2 : up_to(population);
            auto const draws = up_to(up_to(2) == 0 && population > 50 ? 50 : population);
            auto const more = planted && turn == 0 && draws < population ? 1 : 0;
            differing += draw(population, marked, draws + more, words) !=
                         hypergeometric(population, marked, draws, alone);
        }
        differing += words.next() != alone.next();
    }
    return differing;
}

} // namespace crx_test

namespace crx {

CRX_FOR_EACH_LEVEL(std::int64_t draw_ahead(std::int64_t population, std::int64_t marked,
                                           std::int64_t draws, WordsAhead& words);)

} // namespace crx
