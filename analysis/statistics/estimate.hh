#pragma once

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

} // namespace crx
