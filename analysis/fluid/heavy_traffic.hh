#pragma once

#include "analysis/statistics/estimate.hh"
#include "kernels/engines/iterations/iteration_model.cuh"

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

/// Tallies of paths, path by path, one a horizon.
using Paths = std::vector<std::vector<IterationTally>>;

/// A number of a path up to a horizon; NaN where it has none.
using PathMeasure = double (*)(IterationTally const&);
double gap(IterationTally const& t);         ///< as in HorizonPoint
double gap_as_in_8(IterationTally const& t); ///< likewise, and so on
double throughput(IterationTally const& t);
double latency(IterationTally const& t);
double first_token(IterationTally const& t);
double peak_memory(IterationTally const& t);

/// What all paths show up to one horizon. AO measures [0, zeta T] from an empty system, so no
/// warm-up is cut off.
struct HorizonPoint
{
    double horizon = 0;   ///< zeta T, seconds
    PathMean gap;         ///< sum l'_j (type-j prompts in the system at zeta T) / (zeta T)
    PathMean gap_as_in_8; ///< the same with l'_j + 1
    PathMean throughput;  ///< tokens of completed prompts per second
    PathMean latency;     ///< seconds; of a path with arrivals, the mean over them
    PathMean first_token; ///< seconds, likewise
    PathMean peak_memory; ///< tokens
    Tokens largest_memory = 0;
    Frequency overflow;                   ///< paths with an iteration above the capacity
    double iterations = 0, cancelled = 0; ///< per path
};

/// Slope of log mean against log horizon by least squares; interval from the slopes of 20 groups of
/// paths, because the points of one path share its arrivals. NaN where a mean is 0 or, of latency
/// and first_token, nobody arrived; the half-width also where one is 0 in a group and where the
/// slopes of all groups agree to rounding.
struct Exponent
{
    double value = 0, half_width = 0;
};

struct HeavyTrafficCurve
{
    std::vector<HorizonPoint> points;
    Exponent gap, latency, first_token, peak_memory;
};

/// All paths up to horizon number `point`. Contract: at least one path; 0 < confidence < 1.
HorizonPoint horizon_point(Paths const& paths, std::size_t point, double confidence);

/// Of the points from number `fit_from` on, at least two of them. No half-width of fewer than 40
/// paths. Contract: at least one path; 0 < confidence < 1.
Exponent exponent(Paths const& paths, std::size_t fit_from, PathMeasure measure, double confidence);

/// All points, and the exponents of those from number `fit_from` on. Contract: as of both.
HeavyTrafficCurve heavy_traffic_curve(Paths const& paths, std::size_t fit_from, double confidence);

/// One type up to one horizon, over all paths.
struct TypePoint
{
    std::int64_t arrivals = 0, completed = 0, first_tokens = 0; ///< sums over paths
    PathMean latency, first_token; ///< seconds, a prompt of the type; NaN where none arrived
};

/// Means over all prompts of the type on all paths, those of min(event, horizon) - arrival.
///
/// The mean is the ratio of two means over paths, as paths have unlike numbers of the type's
/// prompts, or none: ratio_over_paths says what half-width that gives, and where none.
/// `paths[p]` is the type's tally on path p. Contract: at least one path, 0 < confidence < 1,
/// `until` of all.
TypePoint type_point(std::vector<TypeTally> const& paths, Nanoseconds until, double confidence);

} // namespace crx::fluid
