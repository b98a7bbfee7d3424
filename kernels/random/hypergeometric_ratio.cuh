#pragma once

#include "kernels/random/word_stream.cuh"

#include <cmath>

namespace crx {

/// Decides "is U 2^-i < f(k) / f(mode)" exactly, f being the hypergeometric probability of k marked
/// ones among `draws` taken from `population` of which `marked` are marked.
///
/// Filters in doubles decide when the two sides differ by more than their proven error; else the
/// ratio, a product of |k - mode| fractions not above 1, is bracketed in 127-bit integers. Both
/// give the decision of exact arithmetic or none, so the answer does not depend on how a processor
/// rounds its logarithms. Should the bracket not decide either (probability below 2^-90 a
/// decision) the program ends with a message; it never returns a guess.
/// Contract: 0 <= marked, draws <= population < 2^32 - 1.
class HypergeometricRatio
{
  public:
    CRX_HD HypergeometricRatio(std::int64_t population, std::int64_t marked, std::int64_t draws)
        : marked_(marked), draws_(draws), spare_(population - marked - draws)
    {
        auto const product =
            static_cast<std::uint64_t>(draws + 1) * static_cast<std::uint64_t>(marked + 1);
        mode_ = static_cast<std::int64_t>(product / static_cast<std::uint64_t>(population + 2));
    }

    CRX_HD std::int64_t mode() const { return mode_; }
    CRX_HD bool possible(std::int64_t k) const
    {
        return k >= 0 && k >= -spare_ && k <= marked_ && k <= draws_;
    }

    /// 1 - f(k+1)/f(k), or 1 where f(k+1) = 0; correctly rounded conversions and one division, so
    /// the same double on every processor with IEEE 754 arithmetic. Contract: possible(k).
    CRX_HD double fall_above(std::int64_t k) const
    {
        return 1 - static_cast<double>(numerator(k)) / static_cast<double>(denominator(k));
    }
    /// 1 - f(k-1)/f(k), likewise.
    CRX_HD double fall_below(std::int64_t k) const
    {
        return 1 - static_cast<double>(denominator(k - 1)) / static_cast<double>(numerator(k - 1));
    }

    /// The decision for a uniform U whose first 64 bits are `high`; further bits are taken from
    /// `words` only when integers say that 64 do not suffice, so on every processor alike.
    /// Contract: i >= 0 and f(k) 2^i <= f(mode).
    CRX_HD bool exceeds(std::int64_t k, std::int64_t i, std::uint64_t high, WordStream& words)
    {
        if (!possible(k)) return false;
        if (k == mode_ && i == 0) return true;
        auto verdict = product_filter(k, i, high);
        if (verdict == 0) verdict = near_filter(k, i, high);
        if (verdict == 0) verdict = filter(k, i, high);
        if (verdict == 0) verdict = bracket(k, i, Unsigned128{high} << 63, Unsigned128{1} << 63);
        if (verdict == 0)
            verdict = bracket(k, i, ((Unsigned128{high} << 64) | words.next()) >> 1, 1);
        CRX_ENSURE(verdict != 0 && "127 bits decide a hypergeometric draw");
        return verdict > 0;
    }

    /// 1: U 2^-i is certainly below the ratio; -1: certainly not; 0: cannot say. For k within 15 of
    /// the mode: the fractions themselves, numerators and denominators apart (below 2^960). At most
    /// 70 roundings of 2^-53 and the bits of U below `high`, 2^-40: together below 1e-12.
    CRX_HD int product_filter(std::int64_t k, std::int64_t i, std::uint64_t high) const
    {
        auto const far = k > mode_ ? k - mode_ : mode_ - k;
        if (far > 15 || i > 30 || high < std::uint64_t{1} << 40) return 0;
        double rising = 1, falling = 1;
        for (auto j = k > mode_ ? mode_ : k; j < (k > mode_ ? k : mode_); ++j) {
            rising *= static_cast<double>(numerator(j));
            falling *= static_cast<double>(denominator(j));
        }
        auto const below = static_cast<double>(high) * (k > mode_ ? falling : rising);
        auto const above =
            0x1p64 * static_cast<double>(std::int64_t{1} << i) * (k > mode_ ? rising : falling);
        if (below < above * (1 - 1e-12)) return 1;
        return below > above * (1 + 1e-12) ? -1 : 0;
    }

    /// The same for k near the mode and large numbers: with x_t the four arguments of
    /// factorials at the mode and d_t = +-(k - mode), log f(k)/f(mode) = -sum (x_t + d_t
    /// + 1/2) log(1 + d_t/x_t) - (k - mode) log(prod x_t^+-1) + R, where |R| <= 4 |d| /
    /// (12 least^2) (Stirling's series; its remainder has a derivative below 1/(12 x^2)).
    /// log(1 + y) = 2 (z + z^3/3 + ..), z = y/(2 + y), |z| <= 1/31; cut after z^9,
    /// relative error below 1e-16. A few roundings add at most 2^-48 of the sum of
    /// magnitudes.
    CRX_HD int near_filter(std::int64_t k, std::int64_t i, std::uint64_t high)
    {
        double const x[] = {static_cast<double>(mode_), static_cast<double>(marked_ - mode_),
                            static_cast<double>(draws_ - mode_),
                            static_cast<double>(spare_ + mode_)};
        auto least = x[0];
        for (auto const each : x) least = each < least ? each : least;
        auto const d = static_cast<double>(k - mode_), far = d < 0 ? -d : d;
        if (high < std::uint64_t{1} << 40 || least < 16 || 16 * far > least) return 0;
        if (!slope_known_) {
            slope_ = std::log(x[0] * x[3] / (x[1] * x[2]));
            slope_known_ = true;
        }
        double sum = d * slope_, size = sum < 0 ? -sum : sum;
        for (int t = 0; t < 4; ++t) {
            auto const dt = t == 0 || t == 3 ? d : -d;
            auto const z = dt / (2 * x[t] + dt), q = z * z;
            auto const log1 =
                2 * z * (1 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9)))));
            auto const term = (x[t] + dt + 0.5) * log1;
            sum += term;
            size += term < 0 ? -term : term;
        }
        auto const log_u = log_of(high, i);
        auto const error = (size - log_u + 1) * 0x1p-46 +
                           far / (2.5 * (least - far) * (least - far)) + far * 1e-15 + 1e-10;
        if (-sum - log_u > error) return 1;
        if (log_u + sum > error) return -1;
        return 0;
    }

    /// The same for any k, from the factorials themselves.
    ///
    /// Each log-factorial is off by less than 2^-48 of itself (a few roundings; a logarithm within
    /// two units in the last place) plus 1e-11 (Stirling's series from x = 16 on, cut after the
    /// third term: below 1/(1680 x^7)); log U by less than 2/high from its lower bits.
    CRX_HD int filter(std::int64_t k, std::int64_t i, std::uint64_t high)
    {
        if (high < std::uint64_t{1} << 40) return 0;
        if (!at_mode_known_) {
            at_mode_ = log_factorials(mode_);
            at_mode_known_ = true;
        }
        auto const here = log_factorials(k);
        auto const log_ratio = at_mode_ - here; // negative or 0
        auto const log_u = log_of(high, i);
        auto const error = (at_mode_ + here + 64.0 + static_cast<double>(i)) * 0x1p-46 + 1e-10;
        if (log_ratio - log_u > error) return 1;
        if (log_u - log_ratio > error) return -1;
        return 0;
    }

    /// The same by integers alone, for U in [u, u + spread] 2^-127.
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
        auto const shift = exponent + i; // at most 1, as the ratio times 2^i is at most 1
        CRX_EXPECT(shift <= 1);
        if (shift < -126) return u > 1 ? -1 : 0;
        auto const bottom = shift > 0 ? least << 1 : least >> -shift;
        auto const top = shift > 0 ? (least + width) << 1 : ((least + width) >> -shift) + 1;
        if (u + spread <= bottom) return 1;
        return u >= top ? -1 : 0;
    }

  private:
    /// f(k+1) / f(k) = numerator(k) / denominator(k).
    CRX_HD std::uint64_t numerator(std::int64_t k) const
    {
        return static_cast<std::uint64_t>(marked_ - k) * static_cast<std::uint64_t>(draws_ - k);
    }
    CRX_HD std::uint64_t denominator(std::int64_t k) const
    {
        return static_cast<std::uint64_t>(k + 1) * static_cast<std::uint64_t>(spare_ + k + 1);
    }

    /// log(U 2^-i), to 2^-39.
    CRX_HD static double log_of(std::uint64_t high, std::int64_t i)
    {
        return std::log(static_cast<double>(high)) -
               (64.0 + static_cast<double>(i)) * 0.6931471805599453;
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

    /// log(k! (marked-k)! (draws-k)! (spare+k)!)
    CRX_HD double log_factorials(std::int64_t k) const
    {
        return log_factorial(k) + log_factorial(marked_ - k) + log_factorial(draws_ - k) +
               log_factorial(spare_ + k);
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

    std::int64_t marked_, draws_;
    std::int64_t spare_; ///< population - marked - draws; may be negative
    std::int64_t mode_;
    double at_mode_ = 0; ///< log_factorials(mode)
    double slope_ = 0;   ///< log(f(mode) / f(mode + 1)), but for terms of order 1/x
    bool at_mode_known_ = false, slope_known_ = false;
};

} // namespace crx
