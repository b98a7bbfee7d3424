#pragma once

#include "kernels/simd/in_lanes.hh"

#include <algorithm>
#include <cmath>
#include <cstring>

// For sources *_simd.cc.

namespace crx {
namespace {

/// FactorialRatio<2>::filter for numbers that lanes know, the four factorials together, for values
/// k not far from the mode. Its decisions or none.
///
/// With d = k - mode, log f(k)/f(mode) is a sum of logarithms of whole numbers. Each run of |d| of
/// them is an integral of the logarithm between halves, x and x - |d|, by the midpoint rule: off by
/// less than |d| / (23 x (x - |d|)). With A_j = r_j + mode + 1/2, B_j = b_j - mode + 1/2 and
/// phi(y) = (1+y) log(1+y) - y the integrals are
///   d log(prod B / prod A) - sum_j A_j phi(d/A_j) - sum_j B_j phi(-d/B_j).
/// phi(y) = y^2/2 - y^3/6 + y^4/12 - .. is cut after y^4, which leaves less than
/// y^5 / (20 (1 - |y|)). The first logarithm, 2 (e + e^3/3 + ..) with e the difference of the
/// products over their sum, is cut after e^3: 2^-17.6 of the linear part. 2^-15 is more than what
/// is not known of the height, below 2^-16 of it, what its logarithm is off by, what the mode is,
/// below 2^-19, and what rounding adds, below 2^-40 of sums below 2^20. A value that is impossible
/// is never within a quarter of the least factorial's number of the mode.
class NearRatio
{
  public:
    /// Contract: that of hypergeometric(). `centre`: HypergeometricZiggurat's x, within 2^-45 of
    /// itself. Next to a whole number the value below may be taken for the mode: f is as large
    /// there but for one part in 2^19, as x is off by 2^-13 at most.
    CRX_IN_LANES NearRatio(double population, double marked, double draws, double centre)
        : mode_(std::floor(centre))
    {
        double const spare = population - marked - draws;
        number_ = Four{mode_, spare + mode_, marked - mode_, draws - mode_} + 0.5;
        inverse_ = 1 / number_;
        auto const up = number_[0] * number_[1], down = number_[2] * number_[3];
        auto const e = (down - up) / (down + up);
        linear_ = 2 * e * (1 + e * e * (1.0 / 3));
        most_ = std::max(std::max(inverse_[0], inverse_[1]), std::max(inverse_[2], inverse_[3]));
    }

    /// 1: f(k) / f(mode) is certainly above any height in [low, low + spread) 2^-47; -1: certainly
    /// below; 0: cannot say.
    CRX_IN_LANES int compare(double k, double low, double spread) const
    {
        auto const d = k - mode_, far = std::abs(d);
        auto const y = Four{d, d, -d, -d} * inverse_;
        auto const phi = d * d * inverse_ * (1.0 / 2 + y * (y * (1.0 / 12) - 1.0 / 6));
        auto const sum = phi[0] + phi[1] + (phi[2] + phi[3]);
        auto const of_most = far * most_, square = of_most * of_most;
        auto const cut = 16.0 / 69 * of_most * most_ + 4.0 / 15 * far * (square * square);
        auto const error = cut + std::abs(linear_ * d) * 0x1p-17 + 0x1p-15;
        auto const excess = linear_ * d - sum - (log(low) - 47 * 0.6931471805599453);
        if (4 * of_most > 1 || most_ >= 1.0 / 16 || low <= 0x1p16 * spread) return 0;
        return excess > error ? 1 : excess < -error ? -1 : 0;
    }

  private:
    using Four = double __attribute__((vector_size(32)));

    /// log x, for x from 1 on below 2^53, within 2^-22: with x = 2^n m, m between sqrt(1/2) and
    /// sqrt(2), and z = (m - 1) / (m + 1), log m = 2 (z + z^3/3 + ..), cut
    /// after z^7.
    CRX_IN_LANES static double log(double x)
    {
        std::uint64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        auto const power = static_cast<std::int64_t>(bits - 0x3fe6a09e667f3bcd) >> 52;
        bits -= static_cast<std::uint64_t>(power) << 52;
        double m;
        std::memcpy(&m, &bits, sizeof m);
        auto const z = (m - 1) / (m + 1), q = z * z;
        return static_cast<double>(power) * 0.6931471805599453 +
               z * (2 + q * (2.0 / 3 + q * (2.0 / 5 + q * (2.0 / 7))));
    }

    double mode_, linear_, most_; ///< most_: of inverse_
    Four number_, inverse_;
};

} // namespace
} // namespace crx
