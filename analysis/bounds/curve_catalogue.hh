#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crx::bounds {

using CurveParameters = std::map<std::string, double>;

/// A published or derived bound that a plot can draw and a report can cite by name.
///
/// The parameters of two-point curves are a shape: either `alpha` with optional `s_over_u`
/// (default 0), or `l`, `u` with optional `s` (default 0), or `alpha`, `u` with optional `s`.
/// Curves of one instance also need its odds: `t` = x_l/x_u, or `w` = x_l/(x_l+x_u).
/// Parameters that a curve does not use are ignored, so one set can serve many curves.
struct Curve
{
    std::string id;         ///< fixed name, e.g. "chen-3.3"
    std::string statement;  ///< one line of plain text
    std::string source;     ///< paper and theorem
    std::string legend;     ///< label in gnuplot's enhanced text
    std::string parameters; ///< what it reads, for messages and help
    std::function<double(CurveParameters const&)> function; ///< throws outside its domain

    /// The curve's value; nothing outside its domain, NaN parameters included. A missing parameter
    /// is a mistake, not a point outside the domain: throws std::invalid_argument naming it.
    std::optional<double> evaluate(CurveParameters const& at) const;
};

/// All curves, in the order of the paper.
std::vector<Curve> const& curve_catalogue();

/// The curve of that name, or nothing.
Curve const* find_curve(std::string_view id);

} // namespace crx::bounds
