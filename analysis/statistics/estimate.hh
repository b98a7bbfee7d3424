#pragma once

#include "analysis/statistics/wide_integer.hh"

#include <cstdint>
#include <optional>

namespace crx {

/// A mean with what is known of its error; in the units of one sample.
struct Estimate
{
    double mean = 0;
    std::optional<double> deviation;  ///< sample standard deviation; none for one sample
    std::optional<double> half_width; ///< of the two-sided confidence interval; none for one sample

    std::optional<double> low() const
    {
        return half_width ? std::optional(mean - *half_width) : half_width;
    }
    std::optional<double> high() const
    {
        return half_width ? std::optional(mean + *half_width) : half_width;
    }
};

/// Quantile of Student's t with count - 1 degrees of freedom that a two-sided interval takes.
///
/// Contract: count >= 2, 0 < confidence < 1. It tends to the normal quantile as count grows.
double two_sided_quantile(std::int64_t count, double confidence);

/// Largest probability of an event that `count` independent trials without it leave open at this
/// confidence: 1 - (1 - confidence)^(1 / count), at 95 % about 3 / count (Clopper and Pearson 1934,
/// Biometrika 26, with no success).
///
/// Contract: count >= 1, 0 < confidence < 1.
double unseen_share(std::int64_t count, double confidence);

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

/// A share of independent trials, with an interval of the probability behind it.
struct Frequency
{
    std::int64_t count = 0, of = 0;
    double low = 0, high = 1;

    double share() const { return static_cast<double>(count) / static_cast<double>(of); }
};

/// Interval by Clopper and Pearson (1934, doi:10.1093/biomet/26.4.404). Contract:
/// 0 <= count <= of, of >= 1, 0 < confidence < 1.
Frequency frequency(std::int64_t count, std::int64_t of, double confidence);

} // namespace crx
