#pragma once

#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/hypergeometric_one.hh"

#include <algorithm>
#include <cmath>

namespace crx_test {

/// What hypergeometric() is asked, for draws that are made together; `found` is the answer.
struct HypergeometricDraw
{
    std::int64_t population, marked, draws, found;
    crx::BufferedWords* words;
};

/// Batches of 1 to 16 draws against hypergeometric() one by one, some of the largest population or
/// with half of it marked; how many answers, or words that come next, differ. `planted`: one is
/// asked for a draw more.
inline std::int64_t differing_draws(void (*execute)(HypergeometricDraw*, int), int batches,
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
        HypergeometricDraw draw[16] = {};
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
inline std::int64_t differing_draws_at_whole_widths(void (*execute)(HypergeometricDraw*, int),
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

/// Words as hypergeometric_by_rejection seldom meets them, for the first 16 that come next: places
/// in the tail, coins without a head, uniform numbers next to the height that decides, or so large
/// that nearly all is rejected.
inline void craft_words(crx::BufferedWords& words, crx::ReducedHypergeometric const& law,
                        crx::WordStream& cases)
{
    using namespace crx;
    auto const ratio = hypergeometric_ratio(law.population, law.marked, law.draws);
    auto const width = block_width(ratio);
    auto const log_weight = [&](std::int64_t k) {
        auto const log_factorial = [](std::int64_t n) { return std::lgamma(n + 1.0L); };
        return -log_factorial(k) - log_factorial(law.marked - k) - log_factorial(law.draws - k) -
               log_factorial(law.population - law.marked - law.draws + k);
    };
    auto* const word = const_cast<std::uint64_t*>(words.look());
    bool const reject_all = cases.bounded(3) == 0;
    for (int j = 0; j < BufferedWords::most_looked_at; ++j) {
        std::uint64_t upper = cases.bounded(std::uint64_t{1} << 32), lower = 0xffffffff;
        if (cases.bounded(4) == 0) upper = 0xffffffff - upper / 16; // in the tail
        auto const place = static_cast<std::int64_t>((upper * 2 * BlockHat::a_side * width) >> 32);
        auto const ticket = static_cast<std::uint32_t>(place / width);
        auto const block = BlockHat::block_of(ticket >> 1);
        bool const tail = block == BlockHat::tail;
        int const further = tail ? static_cast<int>(cases.bounded(40)) : 0;
        auto const away = place % width + (block + further) * std::int64_t{width};
        auto const k = ticket & 1 ? ratio.mode() + away : ratio.mode() - 1 - away;
        if (!reject_all && k >= 0 && k <= law.marked) {
            auto const height = std::exp2(37.0L + further) / BlockHat::height_of(block) *
                                std::exp(log_weight(k) - log_weight(ratio.mode()));
            // Not so small that words of zeros behind it decide nothing.
            if (height > 256 && height < 0xffffff00)
                lower = static_cast<std::uint64_t>(height) + cases.bounded(5) - 2;
        }
        word[j] = upper << 32 | lower;
        if (tail && j + 1 < BufferedWords::most_looked_at)
            word[++j] = cases.bounded(8) == 0 ? 0 : (cases.bounded(256) * 2 + 1) << further;
    }
}

/// Draws by such words. How many differ.
inline std::int64_t differing_draws_by_crafted_words(void (*execute)(HypergeometricDraw*, int),
                                                     std::uint64_t seed)
{
    using namespace crx;
    std::int64_t differing = 0;
    WordStream cases(seed, stream_policy + 3, 0);
    for (std::uint64_t batch = 0; batch < 4000; ++batch) {
        BufferedWords words[16], alone[16];
        HypergeometricDraw draw[16];
        for (std::uint64_t j = 0; j < 16; ++j) {
            auto const population =
                static_cast<std::int64_t>(1000 + cases.bounded(1000ull << cases.bounded(20)));
            auto const marked =
                population / 2 - static_cast<std::int64_t>(cases.bounded(population / 3));
            auto const draws = population / static_cast<std::int64_t>(2 + cases.bounded(30));
            draw[j] = {population, marked, draws, -1, &words[j]};
            words[j] = BufferedWords(seed, stream_policy + 3, 16 * batch + j);
            craft_words(words[j], reduce_hypergeometric(population, marked, draws), cases);
            alone[j] = words[j];
        }
        execute(draw, 16);
        for (int j = 0; j < 16; ++j)
            differing += draw[j].found != hypergeometric(draw[j].population, draw[j].marked,
                                                         draw[j].draws, alone[j]) ||
                         words[j].next() != alone[j].next();
    }
    return differing;
}

} // namespace crx_test
