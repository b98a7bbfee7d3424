#pragma once

#include <vector>

namespace crx {

/// A straight line by least squares, with the interval of its slope.
struct LineFit
{
    double intercept = 0, slope = 0;
    double slope_low = 0, slope_high = 0;
};

/// Fits y = intercept + slope x. The interval is Student's, for independent normal deviations of
/// equal variance; of points that lie on no line it says how far their slope may be from one.
///
/// Contract: as many x as y, at least three, not all x equal; 0 < confidence < 1.
LineFit fit_line(std::vector<double> const& x, std::vector<double> const& y, double confidence);

} // namespace crx
