#pragma once

#include <cmath>

namespace crx::spectrum {

/// A sum of doubles kept as an unevaluated pair high + low, for sums of terms of one sign.
///
/// Error: for n non-negative terms value() has relative error at most 2^-53 + n^2 2^-104 (Knuth's
/// exact addition at each step; the low parts are summed in double), where a plain sum has n 2^-53.
/// Source: Neumaier (1974), doi:10.1002/zamm.19740540106; Knuth, TAOCP 2, 4.2.2, Theorem B.
class CompensatedSum
{
  public:
    void add(double term)
    {
        double const sum = high_ + term;
        double const shadow = sum - high_;
        low_ += (high_ - (sum - shadow)) + (term - shadow);
        high_ = sum;
    }

    void add(CompensatedSum const& other)
    {
        add(other.high_);
        low_ += other.low_;
    }

    double value() const { return high_ + low_; }

  private:
    double high_ = 0;
    double low_ = 0;
};

/// An unevaluated sum high + low of two doubles, about 32 decimal digits.
///
/// Used where terms far larger than their sum must be added as they are defined. Error of each
/// operation: at most 2^-100 relative. Source: Dekker (1971), doi:10.1007/BF01397083; Hida,
/// Li and Bailey (2001), "Library for double-double and quad-double arithmetic".
struct DoubleDouble
{
    double high = 0;
    double low = 0;

    constexpr DoubleDouble() = default;
    constexpr DoubleDouble(double value) : high(value) {}
    constexpr DoubleDouble(double h, double l) : high(h), low(l) {}

    double value() const { return high + low; }

    /// a + b exactly, as a rounded sum and its error (Knuth).
    static DoubleDouble sum(double a, double b)
    {
        double const rounded = a + b;
        double const shadow = rounded - a;
        return {rounded, (a - (rounded - shadow)) + (b - shadow)};
    }

    /// a * b exactly (Dekker's splitting: no fused multiply-add needed). |a|, |b| < 2^996.
    static DoubleDouble product(double a, double b)
    {
        double const rounded = a * b;
        double const a_high = upper_half(a);
        double const b_high = upper_half(b);
        double const a_low = a - a_high;
        double const b_low = b - b_high;
        return {rounded,
                ((a_high * b_high - rounded) + a_high * b_low + a_low * b_high) + a_low * b_low};
    }

    DoubleDouble normalised() const
    {
        double const rounded = high + low;
        return {rounded, low - (rounded - high)};
    }

    friend DoubleDouble operator-(DoubleDouble const& a) { return {-a.high, -a.low}; }
    friend DoubleDouble operator+(DoubleDouble const& a, DoubleDouble const& b)
    {
        auto result = sum(a.high, b.high);
        auto const lower = sum(a.low, b.low);
        result.low += lower.high;
        result = result.normalised();
        result.low += lower.low;
        return result.normalised();
    }
    friend DoubleDouble operator-(DoubleDouble const& a, DoubleDouble const& b) { return a + -b; }
    friend DoubleDouble operator*(DoubleDouble const& a, DoubleDouble const& b)
    {
        auto result = product(a.high, b.high);
        result.low += a.high * b.low + a.low * b.high;
        return result.normalised();
    }
    friend DoubleDouble operator/(DoubleDouble const& a, DoubleDouble const& b)
    {
        double const first = a.high / b.high;
        auto const rest = a - b * first;
        return sum(first, rest.high / b.high);
    }

  private:
    static double upper_half(double a)
    {
        double const scaled = 134217729.0 * a; // 2^27 + 1
        return scaled - (scaled - a);
    }
};

} // namespace crx::spectrum
