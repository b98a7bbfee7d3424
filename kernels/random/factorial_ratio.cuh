#pragma once

#include "kernels/random/word_stream.cuh"

#include <cmath>

namespace crx {

/// A height to compare a probability with: U c 2^-(5+i) for a uniform real U in [0, 1) of which the
/// first 32 bits are known. Contract: 1 <= c <= 32, i >= 0.
struct UniformHeight
{
    std::uint32_t first; ///< floor(2^32 U)
    std::int32_t c;
    std::int64_t i;
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
    CRX_HD std::int64_t slope() const
    {
        if constexpr (pairs == 1) return 2;
        std::int64_t sum = 2;
        for (int j = 0; j < pairs; ++j) sum += rising_[j] + falling_[j];
        return sum;
    }

    /// Further bits of U are taken from `words` only when integers say that 32 do not suffice, so
    /// on every processor alike. Contract: f(k) is at most c 2^-(5+i) f(mode), up to a factor of 2.
    template <class Words>
    CRX_HD bool exceeds(std::int64_t k, UniformHeight const& height, Words& words)
    {
        if (!possible(k)) return false;
        if (k == mode_ && height.c == 32 && height.i == 0) return true;
        auto const far = k > mode_ ? k - mode_ : mode_ - k;
        auto verdict = far <= 5 ? product_filter(k, height) : near_filter(k, height);
        if (verdict == 0) verdict = product_filter(k, height);
        if (verdict == 0) verdict = filter(k, height);
        auto const c = static_cast<Unsigned128>(height.c);
        if (verdict == 0)
            verdict = bracket(k, height.i, Unsigned128{height.first} * c << 90, c << 90);
        if (verdict == 0)
            verdict = bracket(
                k, height.i, ((Unsigned128{height.first} << 64) | words.next()) * c << 26, c << 26);
        CRX_ENSURE(verdict != 0 && "96 bits decide a draw");
        return verdict > 0;
    }

    /// 1: the height is certainly below the ratio; -1: certainly not; 0: cannot say. For k within
    /// 15 of the mode: the fractions themselves, numerators and denominators apart (below 2^960).
    /// At most 70 roundings of 2^-53 and the bits of U that are not known.
    CRX_HD int product_filter(std::int64_t k, UniformHeight const& height) const
    {
        auto const far = k > mode_ ? k - mode_ : mode_ - k;
        if (far > 15 || height.i > 20) return 0;
        double rising = 1, falling = 1;
        for (auto j = k > mode_ ? mode_ : k; j < (k > mode_ ? k : mode_); ++j) {
            rising *= static_cast<double>(numerator(j));
            falling *= static_cast<double>(denominator(j));
        }
        auto const scale = static_cast<double>(height.c) * (k > mode_ ? falling : rising);
        auto const below = static_cast<double>(height.first) * scale;
        auto const next = (static_cast<double>(height.first) + 1) * scale;
        auto const ratio = 0x1p37 * static_cast<double>(std::int64_t{1} << height.i) *
                           (k > mode_ ? rising : falling);
        if (next < ratio * (1 - 1e-12)) return 1;
        return below > ratio * (1 + 1e-12) ? -1 : 0;
    }

    /// The same for k not far from the mode: with x_t the arguments of factorials at the mode and
    /// d_t = +-(k - mode), log f(k)/f(mode) = -sum (x_t + d_t + 1/2) log(1 + d_t/x_t) -
    /// (k - mode) log(prod x_t^+-1) + R, where |R| <= 4 |d| / (12 least^2) (Stirling's series; its
    /// remainder has a derivative below 1/(12 x^2)). log(1 + y) = 2 (z + z^3/3 + ..), z = y/(2 +
    /// y), cut after z^9: relative error below z^10/11 / (1 - z^2). A few roundings add at most
    /// 2^-48 of the sum of magnitudes.
    CRX_HD int near_filter(std::int64_t k, UniformHeight const& height)
    {
        double x[2 * pairs];
        for (int j = 0; j < pairs; ++j) {
            x[2 * j] = static_cast<double>(rising_[j] + mode_);
            x[2 * j + 1] = static_cast<double>(falling_[j] - mode_);
        }
        auto least = x[0];
        for (auto const each : x) least = each < least ? each : least;
        auto const d = static_cast<double>(k - mode_), far = d < 0 ? -d : d;
        if (height.first < 256 || least < 16 || 4 * far > least) return 0;
        if (!slope_known_) {
            double up = 1, down = 1;
            for (int j = 0; j < pairs; ++j) {
                up *= x[2 * j];
                down *= x[2 * j + 1];
            }
            log_slope_ = std::log(up / down);
            slope_known_ = true;
        }
        double sum = d * log_slope_, size = sum < 0 ? -sum : sum;
        for (int t = 0; t < 2 * pairs; ++t) {
            auto const dt = t % 2 == 0 ? d : -d;
            auto const z = dt / (2 * x[t] + dt), q = z * z;
            auto const log1 =
                2 * z * (1 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9)))));
            auto const term = (x[t] + dt + 0.5) * log1;
            sum += term;
            size += term < 0 ? -term : term;
        }
        auto const z = far / (2 * least - far), q = z * z;
        return compare(-sum, height,
                       (size + 8) * 0x1p-46 + far / (2.5 * (least - far) * (least - far)) +
                           size * q * q * q * q * q + 1e-10);
    }

    /// The same for any k, from the factorials themselves.
    ///
    /// Each log-factorial is off by less than 2^-48 of itself (a few roundings; a logarithm within
    /// two units in the last place) plus 1e-11 (Stirling's series from x = 16 on, cut after the
    /// third term: below 1/(1680 x^7)).
    CRX_HD int filter(std::int64_t k, UniformHeight const& height)
    {
        if (height.first < 256) return 0;
        if (!at_mode_known_) {
            at_mode_ = log_factorials(mode_);
            at_mode_known_ = true;
        }
        auto const here = log_factorials(k);
        return compare(at_mode_ - here, height,
                       (at_mode_ + here + 64.0 + static_cast<double>(height.i)) * 0x1p-46 + 1e-10);
    }

    /// The same by integers alone, for a height in [u, u + spread] 2^-(127+i).
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
    /// the bits of U that are not known.
    CRX_HD static int compare(double log_ratio, UniformHeight const& height, double error)
    {
        auto const u = static_cast<double>(height.first);
        auto const log_height = std::log(u * static_cast<double>(height.c)) -
                                (37.0 + static_cast<double>(height.i)) * 0.6931471805599453;
        if (log_ratio - log_height > error + 1 / u) return 1; // log(u + 1) < log u + 1/u
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
    double at_mode_ = 0;   ///< log_factorials(mode)
    double log_slope_ = 0; ///< log(f(mode) / f(mode + 1)), but for terms of order 1/x
    bool at_mode_known_ = false, slope_known_ = false;
};

} // namespace crx
