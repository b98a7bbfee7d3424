#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/random/word_stream.cuh"

#include <cmath>

namespace crx {

/// A height to compare a probability with: a uniform real in [low, low + spread) 2^-(unit + i).
/// Contract: 0 < spread, low + spread <= 2^unit, unit <= 63, i >= 0.
struct UniformHeight
{
    std::uint64_t low;
    std::uint32_t spread;
    int unit;
    std::int64_t i;

    /// Not even its logarithm is known well.
    CRX_HD bool tells_little() const { return low >> 8 < spread; }

    // In units of 2^-(127 + i): its lower end and its width, and both when a further word of the
    // bits that it lacks is known.
    CRX_HD Unsigned128 known() const { return Unsigned128{low} << (127 - unit); }
    CRX_HD Unsigned128 unknown() const { return Unsigned128{spread} << (127 - unit); }
    CRX_HD Unsigned128 known(std::uint64_t further) const
    {
        return ((Unsigned128{low} << 64) + Unsigned128{further} * spread) << (63 - unit);
    }
    CRX_HD Unsigned128 unknown_behind() const { return Unsigned128{spread} << (63 - unit); }
};

/// Decides "is the height below f(k) / f(mode)" exactly, for a law f(k) proportional to
/// 1 / prod_j (r_j + k)! (b_j - k)!: hypergeometric with two pairs, fair binomial with one.
///
/// Filters in doubles decide when the two sides differ by more than their proven error; else the
/// ratio, a product of |k - mode| fractions not above 1, is bracketed in 127-bit integers. Both
/// give the decision of exact arithmetic or none, so the answer does not depend on how a processor
/// rounds its logarithms. Should the bracket not decide either (probability below 2^-85 a
/// decision) the program ends with a message; it never returns a guess.
/// Contract: every r_j + k and b_j - k of the support is below 2^32 - 1; f(mode) is the largest.
template <int pairs>
class FactorialRatio
{
  public:
    CRX_HD FactorialRatio(std::int64_t const (&rising)[pairs], std::int64_t const (&falling)[pairs],
                          std::int64_t mode)
        : mode_(mode)
    {
        for (int j = 0; j < pairs; ++j) {
            rising_[j] = rising[j];
            falling_[j] = falling[j];
        }
    }

    CRX_HD std::int64_t mode() const { return mode_; }
    CRX_HD bool possible(std::int64_t k) const
    {
        bool inside = true;
        for (int j = 0; j < pairs; ++j) inside = inside && rising_[j] + k >= 0 && falling_[j] >= k;
        return inside;
    }

    /// f(k+1) / f(k) = numerator(k) / denominator(k). Their difference is linear in k with slope
    /// `slope`; the one falls, the other rises.
    CRX_HD std::uint64_t numerator(std::int64_t k) const
    {
        std::uint64_t product = 1;
        for (int j = 0; j < pairs; ++j) product *= static_cast<std::uint64_t>(falling_[j] - k);
        return product;
    }
    CRX_HD std::uint64_t denominator(std::int64_t k) const
    {
        std::uint64_t product = 1;
        for (int j = 0; j < pairs; ++j) product *= static_cast<std::uint64_t>(rising_[j] + k + 1);
        return product;
    }
    /// Both at mode + d, rounded once if there are two pairs: the factors are whole numbers below
    /// 2^33.
    CRX_HD double real_numerator(double d) const
    {
        double product = 1;
        for (int j = 0; j < pairs; ++j) product *= static_cast<double>(falling_[j] - mode_) - d;
        return product;
    }
    CRX_HD double real_denominator(double d) const
    {
        double product = 1;
        for (int j = 0; j < pairs; ++j) product *= static_cast<double>(rising_[j] + mode_ + 1) + d;
        return product;
    }
    CRX_HD std::int64_t slope() const
    {
        if constexpr (pairs == 1) return 2;
        std::int64_t sum = 2;
        for (int j = 0; j < pairs; ++j) sum += rising_[j] + falling_[j];
        return sum;
    }

    /// Further bits of the height are taken from `words` only when integers say that those known do
    /// not suffice, so on every processor alike.
    template <class Words>
    CRX_HD bool exceeds(std::int64_t k, UniformHeight const& height, Words& words)
    {
        if (!possible(k)) return false;
        if (k == mode_) return true;
        auto verdict = product_filter(k, height);
        if (verdict == 0) verdict = filter(k, height);
        if (verdict == 0) verdict = bracket(k, height.i, height.known(), height.unknown());
        if (verdict == 0) {
            auto const next = words.next();
            verdict = bracket(k, height.i, height.known(next), height.unknown_behind());
        }
        CRX_ENSURE(verdict != 0 && "64 further bits decide a draw");
        return verdict > 0;
    }

    /// 1: the height is certainly below the ratio; -1: certainly not; 0: cannot say. For k within
    /// 15 of the mode: the fractions themselves, numerators and denominators apart (below 2^960).
    /// At most 70 roundings of 2^-53 and what is not known of the height.
    CRX_HD int product_filter(std::int64_t k, UniformHeight const& height) const
    {
        auto const far = k > mode_ ? k - mode_ : mode_ - k;
        if (far > 15 || height.unit + height.i > 60) return 0;
        double rising = 1, falling = 1;
        for (auto j = k > mode_ ? mode_ : k; j < (k > mode_ ? k : mode_); ++j) {
            rising *= static_cast<double>(numerator(j));
            falling *= static_cast<double>(denominator(j));
        }
        auto const scale = k > mode_ ? falling : rising;
        auto const below = static_cast<double>(height.low) * scale;
        auto const next = static_cast<double>(height.low + height.spread) * scale;
        auto const ratio = static_cast<double>(std::uint64_t{1} << (height.unit + height.i)) *
                           (k > mode_ ? rising : falling);
        if (next < ratio * (1 - 1e-12)) return 1;
        return below > ratio * (1 + 1e-12) ? -1 : 0;
    }

    /// Compares f(k) with a height for any k, from the factorials themselves.
    ///
    /// Each log-factorial is off by less than 2^-48 of itself (a few roundings; a logarithm within
    /// two units in the last place) plus 1e-11 (Stirling's series from x = 16 on, cut after the
    /// third term: below 1/(1680 x^7)).
    CRX_HD int filter(std::int64_t k, UniformHeight const& height)
    {
        if (height.tells_little()) return 0;
        if (!at_mode_known_) {
            at_mode_ = log_factorials(mode_);
            at_mode_known_ = true;
        }
        auto const here = log_factorials(k);
        auto const log_height = std::log(static_cast<double>(height.low)) -
                                static_cast<double>(height.unit + height.i) * 0.6931471805599453;
        return compare(at_mode_ - here, log_height, height,
                       (at_mode_ + here + 64.0 + static_cast<double>(height.i)) * 0x1p-46 + 1e-10);
    }

    /// Compares f(k) by integers alone with a height in [u, u + spread] 2^-(127+i).
    CRX_HD int bracket(std::int64_t k, std::int64_t i, Unsigned128 u, Unsigned128 spread) const
    {
        // f(k)/f(mode) lies in [least, least + width] 2^(exponent - 127); least in [2^126, 2^127].
        Unsigned128 least = Unsigned128{1} << 127, width = 0;
        std::int64_t exponent = 0;
        for (auto j = mode_; j != k; j += k > mode_ ? 1 : -1) {
            least = k > mode_ ? scale(least, numerator(j), denominator(j))
                              : scale(least, denominator(j - 1), numerator(j - 1));
            ++width; // a fraction not above 1 does not widen, its rounding adds one
            for (; least < Unsigned128{1} << 126; least <<= 1, width <<= 1) --exponent;
        }
        auto const shift = exponent + i;
        if (shift > 0) return 1; // the ratio is above 2^-i, and the height is not
        if (shift < -126) return u > 1 ? -1 : 0;
        auto const bottom = least >> -shift;
        auto const top = ((least + width) >> -shift) + 1;
        if (u + spread <= bottom) return 1;
        return u >= top ? -1 : 0;
    }

  private:
    /// Compares log ratio with the height's logarithm, both off by at most `error` together beside
    /// what is not known of the height.
    CRX_HD static int compare(double log_ratio, double log_height, UniformHeight const& height,
                              double error)
    {
        // log(u + 1) < log u + 1/u
        auto const unknown = static_cast<double>(height.spread) / static_cast<double>(height.low);
        if (log_ratio - log_height > error + unknown) return 1;
        return log_height - log_ratio > error ? -1 : 0;
    }

    /// floor(x * over / under). Contract: over <= under, under > 0.
    CRX_HD static Unsigned128 scale(Unsigned128 x, std::uint64_t over, std::uint64_t under)
    {
        // Long division of the 192-bit product, 64 bits at a time.
        auto const low = Unsigned128{static_cast<std::uint64_t>(x)} * over;
        auto const high = Unsigned128{static_cast<std::uint64_t>(x >> 64)} * over + (low >> 64);
        auto const first = high / under;
        auto const rest = high % under;
        auto const second = ((rest << 64) | static_cast<std::uint64_t>(low)) / under;
        return (first << 64) + second;
    }

    /// log of 1/f(k), up to a constant
    CRX_HD double log_factorials(std::int64_t k) const
    {
        double sum = 0;
        for (int j = 0; j < pairs; ++j)
            sum += log_factorial(rising_[j] + k) + log_factorial(falling_[j] - k);
        return sum;
    }
    CRX_HD static double log_factorial(std::int64_t n)
    {
        auto x = static_cast<double>(n);
        double product = 1;
        while (x < 16) product *= ++x; // n! = x! / product
        auto const inverse = 1 / x, square = inverse * inverse;
        auto const series = (1.0 / 12 - square * (1.0 / 360 - square / 1260)) * inverse;
        auto const result = (x + 0.5) * std::log(x) - x + 0.9189385332046727 + series;
        return product == 1 ? result : result - std::log(product);
    }

    std::int64_t rising_[pairs], falling_[pairs];
    std::int64_t mode_;
    double at_mode_ = 0; ///< log_factorials(mode)
    bool at_mode_known_ = false;
};

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
