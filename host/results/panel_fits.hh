#pragma once

#include "analysis/statistics/regression.hh"
#include "host/results/panel_curves.hh"

namespace crx {

/// The line through one series of a panel that asks for a fit.
struct PanelFit
{
    double from = 0, to = 0;       ///< ends of the points it is fitted to
    std::optional<Regression> fit; ///< none: fewer than two points, or none can be on its scale
    /// Of at least four points: the slopes of both halves. `changing`: they differ by more than the
    /// points' intervals can tilt them and by 5 % of the slope, so the points are not near a limit.
    std::optional<double> first_half, second_half;
    bool changing = false;
};

/// Whether the panel fits powers of the horizon to measures of whole paths. The points of a line
/// are then of the same paths, and the slope's interval is by groups of them.
bool fits_horizons(PanelSource const& source);

/// A fit for each series of the panel; empty where it asks for none.
std::vector<PanelFit> panel_fits(PanelSource const& source, std::vector<Series> const& series);

/// Value and half-width with two digits of the half-width: "0.0321 ± 0.0012"; the value alone, to
/// four digits, where there is none.
std::string written_with_error(double value, std::optional<double> half_width);

/// Value and interval: "9.70 ± 0.94  [8.7643, 10.643]", or "1.58046  [1.58046, 1.58046]" where it
/// has no width. The value as written lies within the interval as written if it does so in fact.
/// `with_error` false: without the half-width, which a place of a maximum does not have.
std::string written_with_interval(double value, double low, double high, bool with_error);

/// The fitted line on a grid that is fine on either scale. Contract: there is a fit.
std::vector<LinePoint> fitted_line(Panel const& panel, PanelFit const& fit);

/// "exponent 0.51 ± 0.02", "slope ..", or of y = a + b ln x "slope in ln x ..".
std::string written_slope(std::string const& fit, double slope, std::optional<double> half_width);

/// The same as a key says it, and whether it is still changing. Contract: there is a fit.
std::string fit_label(Panel const& panel, PanelFit const& fit);

} // namespace crx
