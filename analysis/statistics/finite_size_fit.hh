#pragma once

#include "analysis/statistics/regression.hh"

namespace crx {

/// y = factor x^slope exp(correction / sqrt(x)): a power law with its first correction at finite x.
struct FiniteSizeFit
{
    double slope = 0, correction = 0;
    int points = 0;
    /// Half-width of the slope's interval by the scatter of the points about the curve: Student's t
    /// with points - 3 degrees of freedom, as if departures were independent.
    double half_width = 0;
};

/// The unweighted least-squares fit of log y = log factor + slope log x + correction x^-1/2; where
/// y comes near its power law with an error of relative order x^-1/2, the slope of regress_power is
/// off by much more than its interval says, this one's by the next order.
///
/// None for fewer than four different x, or if an x or y is not positive. Contract: as
/// regress_line. Source:   any text on regression; e.g. Draper and Smith (1998), chapter 5.
std::optional<FiniteSizeFit> regress_finite_size(std::span<FitPoint const> points,
                                                 double confidence);

} // namespace crx
