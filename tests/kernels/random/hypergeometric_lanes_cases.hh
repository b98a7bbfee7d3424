#pragma once

#include "kernels/base/processor.hh"
#include "kernels/random/buffered_words.hh"
#include "kernels/random/hypergeometric.cuh"
#include "support/test_seed.hh"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>

namespace crx_test {

/// What hypergeometric() is asked, for draws that are made together; `found` is the answer.
struct HypergeometricDraw
{
    std::int64_t population, marked, draws, found;
    crx::BufferedWords* words;
};

/// Largest populations: of hypergeometric()'s contract, and of lanes of floats.
inline constexpr std::int64_t largest_population = 4294967294,
                              largest_of_floats = (std::int64_t{1} << 24) - 2;

/// Sizes of all kinds, populations up to `largest`; one in three has a centre near it, few that are
/// spare and a standard deviation of up to some hundred.
inline HypergeometricDraw any_draw(crx::WordStream& cases, std::int64_t largest)
{
    auto const up_to = [&](std::int64_t n) {
        return static_cast<std::int64_t>(cases.bounded(static_cast<std::uint64_t>(n) + 1));
    };
    if (up_to(2) == 0) {
        auto const population = largest - up_to(1000);
        return {population, population - up_to(std::int64_t{1} << (18 + up_to(3))),
                population - up_to(std::int64_t{1} << (18 + up_to(3))), -1, nullptr};
    }
    auto const population = 2 + up_to(std::min(std::int64_t{2} << up_to(31), largest - 2));
    auto const marked = up_to(3) == 0 ? population / 2 : up_to(population);
    return {population, marked, up_to(population), -1, nullptr};
}

/// Of these one that layers cover.
inline HypergeometricDraw draw_by_layers(crx::WordStream& cases, std::int64_t largest)
{
    for (;;) {
        auto const draw = any_draw(cases, largest);
        if (crx::HypergeometricByZiggurat(draw.population, draw.marked, draw.draws).cover())
            return draw;
    }
}

/// The inverse of a modulo m, or -1 if there is none. Contract: 0 < a < m.
inline std::int64_t inverse_of(std::int64_t a, std::int64_t m)
{
    std::int64_t before = 0, now = 1, rest = m, part = a;
    while (part != 0) {
        auto const times = rest / part;
        before = std::exchange(now, before - times * now);
        rest = std::exchange(part, rest - times * part);
    }
    return rest != 1 ? -1 : before < 0 ? before + m : before;
}

/// One that layers cover whose centre is 0 to 6 parts of its population from a whole number.
inline HypergeometricDraw draw_of_near_whole_centre(crx::WordStream& cases, std::int64_t largest)
{
    for (;;) {
        auto draw = draw_by_layers(cases, largest);
        auto const slope = draw.population + 2;
        auto const inverse = inverse_of(draw.marked + 1, slope);
        if (inverse < 0) continue;
        auto const parts = static_cast<std::int64_t>(cases.bounded(13)) - 6;
        draw.draws = (inverse * parts % slope + slope) % slope - 1;
        if (draw.draws < 0 || draw.draws > draw.population) continue;
        if (crx::HypergeometricByZiggurat(draw.population, draw.marked, draw.draws).cover())
            return draw;
    }
}

/// Batches of 1 to 64 draws against hypergeometric() one by one, some of the largest population or
/// with half of it marked; how many answers, or words that come next, differ. `planted`: one is
/// asked for a draw more.
inline std::int64_t differing_draws(void (*execute)(HypergeometricDraw*, int), int batches,
                                    std::uint64_t seed, std::int64_t largest, bool planted)
{
    using namespace crx;
    std::int64_t differing = 0;
    WordStream cases(seed, stream_policy, 0);
    auto const up_to = [&](std::int64_t n) {
        return static_cast<std::int64_t>(cases.bounded(static_cast<std::uint64_t>(n) + 1));
    };
    for (int batch = 0; batch < batches; ++batch) {
        BufferedWords words[64], alone[64];
        HypergeometricDraw draw[64] = {};
        std::int64_t expected[64];
        auto const count = 1 + static_cast<int>(up_to(up_to(1) == 0 ? 15 : 63));
        for (int j = 0; j < count; ++j) {
            words[j] = alone[j] =
                BufferedWords(seed, stream_policy + 1, static_cast<std::uint64_t>(64 * batch + j));
            auto const most = std::int64_t{2} << up_to(31);
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

/// Draws whose scale is exactly a whole number before more is added: of 4 q^2 - 2, half of all are
/// marked and half drawn, 2 q^2 - 1, and 16 t = 8 q. How many differ.
inline std::int64_t differing_draws_at_whole_scales(void (*execute)(HypergeometricDraw*, int),
                                                    std::uint64_t seed)
{
    using namespace crx;
    std::int64_t differing = 0;
    for (std::int64_t q = 16; q < 400; ++q) {
        BufferedWords words[16], alone[16];
        HypergeometricDraw draw[16];
        auto const population = 4 * q * q - 2, half = population / 2;
        for (int j = 0; j < 16; ++j) {
            words[j] = alone[j] =
                BufferedWords(seed, stream_policy + 2, static_cast<std::uint64_t>(16 * q + j));
            draw[j] = {population, half, half, -1, &words[j]};
        }
        execute(draw, 16);
        for (int j = 0; j < 16; ++j)
            differing += draw[j].found != hypergeometric(population, half, half, alone[j]) ||
                         words[j].next() != alone[j].next();
    }
    return differing;
}

/// Words as draw_by_layers seldom meets them, for all that are made: places in the tail, next to a
/// whole number or to the centre, coins without a head, heights next to the law's, or so large that
/// nearly all is rejected.
inline void craft_words(crx::BufferedWords& words, crx::ReducedHypergeometric const& law,
                        crx::WordStream& cases)
{
    using namespace crx;
    HypergeometricByZiggurat const layers(law.population, law.marked, law.draws);
    auto const log_weight = [&](std::int64_t k) {
        auto const log_factorial = [](std::int64_t n) { return std::lgamma(n + 1.0L); };
        return -log_factorial(k) - log_factorial(law.marked - k) - log_factorial(law.draws - k) -
               log_factorial(law.population - law.marked - law.draws + k);
    };
    auto const centre =
        static_cast<long double>(layers.rest()) / static_cast<long double>(layers.slope());
    words.look_ahead(); // few at first
    auto* const word = const_cast<std::uint64_t*>(words.look_ahead());
    auto const made = words.last_look() + BufferedWords::most_looked_at - word;
    bool const reject_all = cases.bounded(3) == 0;
    for (std::int64_t j = 0; j < made; ++j) {
        auto const layer = !reject_all && cases.bounded(3) == 0
                               ? 0
                               : cases.bounded(HypergeometricZiggurat::layers);
        auto const above = cases.bounded(2);
        auto place = cases.bounded(std::uint64_t{1} << 31);
        if (reject_all || cases.bounded(4) == 0) place = 0x7fffffff - place / 16; // near the end
        auto const thick = HypergeometricZiggurat::thickness(static_cast<int>(layer));
        auto const unit = static_cast<long double>(layers.scale()) * HypergeometricZiggurat::area *
                          0x1p-35L / static_cast<long double>(thick);
        auto const at = [&] {
            return centre + (above ? 1 : -1) * unit * static_cast<long double>(place);
        };
        if (cases.bounded(8) == 0) { // within some units of a whole number
            auto const whole = above ? std::floor(at()) - centre : centre - std::ceil(at());
            auto const near = whole / unit + static_cast<long double>(cases.bounded(5)) - 2;
            if (near >= 0 && near < 0x7fffffff) place = static_cast<std::uint64_t>(near);
        }
        if (!reject_all && cases.bounded(8) == 0) place = cases.bounded(4);
        bool const tail = layer == 0 && place >> 24 >= HypergeometricZiggurat::tail_begin;
        auto const k = layers.mode() + static_cast<std::int64_t>(std::floor(at()));
        std::uint64_t height = 0x7fffff;
        if (!reject_all &&
            k >= std::max(std::int64_t{0}, law.marked + law.draws - law.population) &&
            k <= std::min(law.marked, law.draws)) {
            auto const of_law = std::exp(log_weight(k) - log_weight(layers.mode()));
            auto const in_layer =
                (of_law * 0x1p24L - HypergeometricZiggurat::height(static_cast<int>(layer))) /
                thick * 0x1p23L;
            if (in_layer > 2 && in_layer < 0x7ffffc)
                height = static_cast<std::uint64_t>(in_layer) + cases.bounded(5) - 2;
        }
        word[j] = place << 33 | height << 10 | above << 9 | layer;
        if (tail && j + 1 < made)
            word[++j] =
                cases.bounded(8) == 0 ? 0 : (cases.bounded(256) * 2 + 1) << cases.bounded(9);
    }
    // As many are left as may be looked at: then some are rejected to the last.
    if (reject_all) words.use_until(word + made - 2 * BufferedWords::most_looked_at);
}

/// Draws by such words. How many differ.
inline std::int64_t differing_draws_by_crafted_words(void (*execute)(HypergeometricDraw*, int),
                                                     std::uint64_t seed, std::int64_t largest)
{
    using namespace crx;
    std::int64_t differing = 0;
    WordStream cases(seed, stream_policy + 3, 0);
    for (std::uint64_t batch = 0; batch < 4000; ++batch) {
        BufferedWords words[16], alone[16];
        HypergeometricDraw draw[16];
        for (std::uint64_t j = 0; j < 16; ++j) {
            draw[j] = cases.bounded(3) == 0 ? draw_of_near_whole_centre(cases, largest)
                                            : draw_by_layers(cases, largest);
            draw[j].words = &words[j];
            auto const [population, marked, draws] =
                std::tuple{draw[j].population, draw[j].marked, draw[j].draws};
            words[j] = BufferedWords(seed, stream_policy + 3, 16 * batch + j);
            craft_words(words[j], {population, marked, draws, 0, 1}, cases);
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

/// All of these, and `kept`, which is asked for a seed, rounds and the largest population.
inline void expect_draws_one_by_one(void (*execute)(HypergeometricDraw*, int),
                                    std::int64_t (*kept)(std::uint64_t, std::uint64_t,
                                                         std::int64_t),
                                    std::int64_t largest)
{
    auto const seed = test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    EXPECT_EQ(differing_draws(execute, 30000, seed, largest, false), 0);
    EXPECT_GT(differing_draws(execute, 300, seed, largest, true), 50);
    EXPECT_EQ(differing_draws_at_whole_scales(execute, seed), 0);
    EXPECT_EQ(differing_draws_by_crafted_words(execute, seed, largest), 0);
    EXPECT_EQ(kept(seed, 80, largest), 0);
}

} // namespace crx_test

namespace crx {

/// Makes so many draws, as many at a time as there are lanes.
CRX_FOR_EACH_LEVEL(void draw_in_floats(crx_test::HypergeometricDraw* draw, int count);
                   void draw_in_doubles(crx_test::HypergeometricDraw* draw, int count);)
/// Draws by words whose places lanes keep: how many answers, or words at the end, differ.
CRX_FOR_EACH_LEVEL(std::int64_t differing_in_floats(std::uint64_t seed, std::uint64_t rounds,
                                                    std::int64_t largest);
                   std::int64_t differing_in_doubles(std::uint64_t seed, std::uint64_t rounds,
                                                     std::int64_t largest);)

} // namespace crx
