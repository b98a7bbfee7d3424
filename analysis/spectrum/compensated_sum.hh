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

} // namespace crx::spectrum
