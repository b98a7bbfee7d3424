#pragma once

#include <optional>
#include <span>

namespace crx {

/// A mean at a place, with the half-width of its confidence interval where it has one.
struct FitPoint
{
    double x = 0, y = 0;
    std::optional<double> half_width;
};

/// A least-squares line y = intercept + slope x.
struct Regression
{
    double slope = 0, intercept = 0;
    double r_squared = 1; ///< share of the variation of y on the line; 1 where y does not vary
    int points = 0;
    /// Half-width of the slope's interval by the scatter of the points about the line: Student's t
    /// with points - 2 degrees of freedom, as if departures were independent. None below three.
    std::optional<double> scatter;
    /// Half-width by the points' own intervals: sum |c_i| half_width_i, where slope = sum c_i y_i.
    /// It holds however the points depend on each other (Minkowski's inequality), and cells of one
    /// sweep do: they share random words. None if a point has none.
    std::optional<double> sampling;

    /// The wider of the two; none if there is neither.
    std::optional<double> half_width() const
    {
        if (!scatter) return sampling;
        if (!sampling) return scatter;
        return *scatter > *sampling ? scatter : sampling;
    }
};

/// The unweighted line through the points. Unweighted, as errors of cells that share random words
/// go together, and a weight by the variance would trust the shortest runs alone.
///
/// None for fewer than two different x. Contract: x, y finite; half_widths at `confidence`;
/// 0 < confidence < 1.
/// Source:   any text on regression; e.g. Draper and Smith (1998), chapter 1.
std::optional<Regression> regress_line(std::span<FitPoint const> points, double confidence);

/// The same of log y on log x: slope is the exponent of y ~ x^slope. A half-width h of y stands for
/// h / y of log y (delta method).
///
/// None also if an x or y is not positive.
std::optional<Regression> regress_power(std::span<FitPoint const> points, double confidence);

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
