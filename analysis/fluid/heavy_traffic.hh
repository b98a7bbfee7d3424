#pragma once

#include "analysis/fluid/path_mean.hh"
#include "analysis/statistics/frequency.hh"
#include "kernels/engines/iterations/iteration_model.cuh"

#include <vector>

namespace crx::fluid {

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

} // namespace crx::fluid
