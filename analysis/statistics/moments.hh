#pragma once

#include "analysis/statistics/estimate.hh"
#include "analysis/statistics/wide_integer.hh"

namespace crx {

/// Mean of `count` integers times `unit`, from their exact sum and sum of squares.
///
/// The interval takes the mean to be normal (Student's t). Contract: count >= 1, 0 < confidence
/// < 1.
Estimate estimate_mean(std::int64_t count, BigInteger const& sum, BigInteger const& squares,
                       double unit, double confidence);

/// Exact sums over pairs (numerator, denominator) of non-negative integers.
struct PairSums
{
    std::int64_t count = 0;
    BigInteger numerator, denominator;                 ///< sums
    BigInteger numerator_squares, denominator_squares; ///< sums of squares
    BigInteger cross;                                  ///< sum of products
};

/// Sum of numerators over sum of denominators, its error by the delta method.
///
/// With R the ratio, the variance is that of the mean of (numerator - R denominator), over the
/// squared mean denominator (Cochran 1977, Sampling Techniques, section 2.11). `deviation` is that
/// of (numerator - R denominator) over the mean denominator.
/// Contract: count >= 1, the sum of denominators positive, 0 < confidence < 1.
Estimate estimate_ratio_of_means(PairSums const& sums, double confidence);

} // namespace crx
