#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/random/hypergeometric_ratio.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {

/// Marked ones among `draws` taken one after the other, without replacement, from `population` of
/// which `marked` are marked. Exact; one bounded draw each. Cost: O(draws).
CRX_HD inline std::int64_t hypergeometric_by_urn(std::int64_t population, std::int64_t marked,
                                                 std::int64_t draws, WordStream& words)
{
    std::int64_t found = 0;
    for (; draws > 0 && found < marked; --draws, --population)
        if (static_cast<std::int64_t>(words.bounded(static_cast<std::uint64_t>(population))) <
            marked - found)
            ++found;
    return found;
}

namespace hypergeometric_parts {

/// A block width w, a multiple of 4, with f(mode + w) and f(mode - w) at most f(mode)/2.
///
/// Certificate: the ratios of neighbours fall away from the mode (f is log-concave), so with
/// h = w/4 and x_q the fall at distance q h, f(mode + w)/f(mode) <= prod (1 - x_q)^h <=
/// exp(-h (x_1 + x_2 + x_3)), and 0.694 > log 2. Correctly rounded operations on doubles with no
/// product in a sum, so w is the same on every processor.
CRX_HD inline std::int64_t block_width(HypergeometricRatio const& ratio, double variance)
{
    // 1.37 standard deviations: for a normal law h (x_1 + x_2 + x_3) = 3/8 (w/sigma)^2.
    auto const mode = ratio.mode();
    auto width = static_cast<std::int64_t>(std::sqrt(1.875 * variance)) / 4 * 4 + 4;
    for (;; width += (width / 8 + 4) / 4 * 4) {
        auto const h = width / 4;
        double above = 0, below = 0;
        for (std::int64_t q = 1; q <= 3; ++q) {
            above += ratio.possible(mode + q * h) ? ratio.fall_above(mode + q * h) : 1;
            below += ratio.possible(mode - q * h) ? ratio.fall_below(mode - q * h) : 1;
        }
        auto const least = above < below ? above : below;
        if (least >= 0.694 / static_cast<double>(h)) return width;
    }
}

/// Number of fair coins before the first head.
CRX_HD inline std::int64_t coins(std::uint64_t word, int bits, WordStream& words)
{
    std::int64_t tails = 0;
    while (word == 0) {
        tails += bits;
        word = words.next();
        bits = 64;
    }
    return tails + lowest_bit(word);
}

} // namespace hypergeometric_parts

/// The same law by exact rejection, at a cost that does not grow with the numbers.
///
/// The hat is made of blocks of w values on either side of the mode, the i-th 2^-i f(mode) high:
/// f is log-concave and f(mode +- w) <= f(mode)/2, so f lies below it everywhere. A side is a coin,
/// i a run of coins, the place in the block a bounded integer, all exact; acceptance compares a
/// uniform real with f(k) 2^i / f(mode) exactly (HypergeometricRatio), so every value has exactly
/// its probability. About 2.2 trials a draw, 2 words a trial.
/// Source: rejection from a hat for log-concave laws, Devroye, Non-Uniform Random Variate
/// Generation (1986), chapters VI.2 and X.2.
/// Contract: 0 <= marked, draws <= population < 2^32 - 1.
CRX_HD inline std::int64_t hypergeometric_by_rejection(std::int64_t population, std::int64_t marked,
                                                       std::int64_t draws, WordStream& words)
{
    HypergeometricRatio ratio(population, marked, draws);
    auto const real = [](std::int64_t x) { return static_cast<double>(x); };
    auto const variance = real(draws) * real(marked) / real(population) *
                          (real(population - draws) * real(population - marked)) /
                          real(population) / real(population);
    auto const width =
        static_cast<std::uint64_t>(hypergeometric_parts::block_width(ratio, variance));
    auto const rejected = (std::uint64_t{1} << 32) % width; // Lemire, on half a word
    for (;;) {
        auto const high = words.next(), word = words.next();
        auto const place = (word >> 32) * width;
        if ((place & 0xffffffff) < rejected) continue;
        auto const block = hypergeometric_parts::coins((word & 0xffffffff) >> 1, 31, words);
        if (block > population) continue; // beyond the support
        auto const away =
            block * static_cast<std::int64_t>(width) + static_cast<std::int64_t>(place >> 32);
        auto const k = word & 1 ? ratio.mode() + away : ratio.mode() - 1 - away;
        if (ratio.exceeds(k, block, high, words)) return k;
    }
}

/// Marked ones among `draws` taken without replacement from `population` of which `marked` are
/// marked; exact in law, the same on every processor. No word is used where nothing is random.
/// Contract: 0 <= marked, draws <= population < 2^32 - 1.
CRX_HD inline std::int64_t hypergeometric(std::int64_t population, std::int64_t marked,
                                          std::int64_t draws, WordStream& words)
{
    CRX_EXPECT(0 <= marked && marked <= population && 0 <= draws && draws <= population &&
               population < (std::int64_t{1} << 32) - 1);
    // Complements bring both to half the population: the result is offset + sign times the rest.
    std::int64_t offset = 0, sign = 1;
    if (2 * marked > population) {
        offset = draws;
        sign = -1;
        marked = population - marked;
    }
    if (2 * draws > population) {
        offset += sign * marked;
        sign = -sign;
        draws = population - draws;
    }
    if (marked > draws) { // the law is symmetric in the two
        auto const held = marked;
        marked = draws;
        draws = held;
    }
    if (marked == 0) return offset;
    constexpr std::int64_t few = 12; // where both methods take about the same time
    return offset + sign * (marked <= few
                                ? hypergeometric_by_urn(population, draws, marked, words)
                                : hypergeometric_by_rejection(population, marked, draws, words));
}

} // namespace crx
