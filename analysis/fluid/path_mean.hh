#pragma once

#include <cstddef>
#include <vector>

namespace crx::fluid {

/// A mean over paths with the half-width of its two-sided interval (Student's t over independent
/// replications; Law 2015, Simulation Modeling and Analysis, section 9.4).
///
/// The half-width is NaN, there is none, of fewer than `least_sample` values and where all agree to
/// rounding: nothing is known of their spread then. The mean is NaN without a value.
struct PathMean
{
    double mean = 0, half_width = 0;
};

/// Values below which no interval is given: of the few paths that have one of a rare type's
/// prompts, most have just one.
constexpr std::size_t least_sample = 10;

/// Mean of the values; those that are NaN, of paths that have none, are left out. Values closer
/// than 1e-12 times the largest of them and of `scale` agree to rounding.
/// Contract: 0 < confidence < 1.
PathMean mean_of_paths(std::vector<double> const& values, double confidence, double scale = 0);

/// Sum of the values over the sum of the weights: the classical ratio estimator, its half-width by
/// Student's t on the residuals (Cochran 1977, Sampling Techniques, chapter 6). Paths of weight 0
/// tell nothing of it: they count neither as a value nor in the degrees of freedom.
/// Contract: as many values as weights, weights not negative, value 0 where the weight is 0;
/// 0 < confidence < 1.
PathMean ratio_over_paths(std::vector<double> const& values, std::vector<double> const& weights,
                          double confidence);

} // namespace crx::fluid
