#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/random/factorial_ratio.cuh"

namespace crx {

/// A hat over a log-concave law: blocks of `width` values on either side of the mode. Blocks 0 to 3
/// are 32, 29, 20 and 11 thirty-seconds as high as the mode, the (4+i)-th 5 2^-i: a normal law with
/// blocks of half a standard deviation lies below them, and they hold 1.27 times its mass.
struct BlockHat
{
    static constexpr std::uint32_t a_side = 102; ///< 32 + 29 + 20 + 11 + 10: the tail adds to 10
    static constexpr int tail = 4;               ///< first block of the tail

    CRX_HD static int block_of(std::uint32_t ticket)
    {
        return (ticket >= 32) + (ticket >= 61) + (ticket >= 81) + (ticket >= 92);
    }
    CRX_HD static std::int32_t height_of(int block)
    {
        return block == 0 ? 32 : block == 1 ? 29 : block == 2 ? 20 : block == 3 ? 11 : 5;
    }
};

/// A width for which the hat covers the law.
///
/// Certificate: at distance i above the mode the ratio of neighbours is 1 - x_i, where x_i >= (D +
/// s i) / denominator(mode + d - 1) for all i < d: denominator minus numerator is linear with slope
/// s, and D at the mode. So f(mode + d) <= f(mode) exp(-d (2D + s (d-1)) / (2 denominator(mode + d
/// - 1))), and likewise below with numerators. At d = j width this must be at most the j-th height;
/// past block 4 the law falls by half a block at least. Only products and comparisons of correctly
/// rounded doubles, and products in sums are whole and below 2^53: the width is the same on every
/// processor, whether it fuses them or not.
template <class Ratio>
CRX_HD std::uint32_t block_width(Ratio const& ratio)
{
    // 2 log(32 / height), rounded up: blocks 1 to 4; and 2 log 2.
    double const twice_log[] = {0.19689, 0.94001, 2.13568, 3.71260};
    double const twice_log_2 = 1.38630;
    auto const mode = ratio.mode();
    // Whole numbers below 2^53 as doubles: up to the rounding of the products all is exact.
    auto const slope = static_cast<double>(ratio.slope());
    auto const above = static_cast<double>(
        static_cast<std::int64_t>(ratio.denominator(mode) - ratio.numerator(mode)));
    auto const below = slope - above; // at mode - 1, negated
    auto width = static_cast<std::int64_t>(
                     0.5 * std::sqrt(static_cast<double>(ratio.denominator(mode)) / slope)) +
                 1;
    for (;; width += width / 16 + 1) {
        auto const w = static_cast<double>(width);
        bool covers = true;
        for (int j = 1; j <= 4; ++j) { // no branch: as a rule the first width will do
            auto const d = j * w, fall = slope * (d - 1);
            covers &= d * (2 * above + fall) >= twice_log[j - 1] * ratio.real_denominator(d - 1);
            covers &= d * (2 * below + fall) >= twice_log[j - 1] * ratio.real_numerator(-d);
        }
        auto const d = 4 * w;
        covers &= 2 * w * (above + slope * d) >= twice_log_2 * ratio.real_denominator(d);
        covers &= 2 * w * (below + slope * d) >= twice_log_2 * ratio.real_numerator(-1 - d);
        if (covers) return static_cast<std::uint32_t>(width);
    }
}

/// Number of fair coins before the first head.
template <class Words>
CRX_HD std::int64_t coins(Words& words)
{
    std::int64_t tails = 0;
    auto word = words.next();
    for (; word == 0; word = words.next()) tails += 64;
    return tails + lowest_bit(word);
}

/// A draw from the law of `ratio` by exact rejection, at a cost that does not grow with the
/// numbers: a place under the hat by a bounded integer, in the tail by fair coins; acceptance
/// compares a uniform real exactly. Every value has exactly its probability. About 1.4 trials, one
/// word a trial and one more in the tail.
/// Source: rejection from a hat for log-concave laws, Devroye, Non-Uniform Random Variate
/// Generation (1986), chapters VI.2 and X.2.
template <class Ratio, class Words>
CRX_HD_CALLED std::int64_t draw_by_rejection(Ratio& ratio, Words& words)
{
    auto const width = block_width(ratio);
    auto const places = 2 * BlockHat::a_side * width;
    for (;;) {
        auto const word = words.next();
        auto const product = (word >> 32) * places; // Lemire, on half a word
        if ((product & 0xffffffff) < places &&
            (product & 0xffffffff) < (std::uint64_t{1} << 32) % places)
            continue;
        auto const place = static_cast<std::uint32_t>(product >> 32);
        auto const ticket = place / width;
        auto const block = BlockHat::block_of(ticket >> 1);
        auto const further = block == BlockHat::tail ? coins(words) : 0;
        auto const away =
            static_cast<std::int64_t>(place % width) + (block + further) * std::int64_t{width};
        auto const k = ticket & 1 ? ratio.mode() + away : ratio.mode() - 1 - away;
        auto const top = static_cast<std::uint32_t>(BlockHat::height_of(block));
        UniformHeight const height{(word & 0xffffffff) * top, top, 37, further};
        if (ratio.exceeds(k, height, words)) return k;
    }
}

} // namespace crx
