#pragma once

#include "analysis/spectrum/dominant.hh"

#include <cstdint>
#include <span>
#include <vector>

namespace crx::spectrum {

/// One point of rho against u at fixed l and s.
struct GrowthPoint
{
    std::int64_t u;
    double rho;
    double error; ///< certified
    int iterations;
    double slope; ///< (rho - previous rho)/(ln u - ln previous u); NaN at the first point
};

/// rho at each u, ascending. Throws std::domain_error as solve_dominant does.
std::vector<GrowthPoint> growth(std::span<std::int64_t const> us, std::int64_t l, double s,
                                Options const& options = {});

/// 1, 2, 5, 10, 20, 50, ... and u itself, within l..u.
std::vector<std::int64_t> growth_points(std::int64_t l, std::int64_t u);

/// a ln(u + b) + c fitted to points by least squares in a, c for each b, and golden-section search
/// in b over (-1/2 - first u/2, 5].
struct LogarithmicFit
{
    double a;
    double b;
    double c;
    double r_squared;
    double largest_residual;
    double operator()(double u) const;
};

/// Domain: at least 4 points, same sizes, u ascending. Throws std::domain_error.
LogarithmicFit fit_logarithm(std::span<double const> u, std::span<double const> rho);

} // namespace crx::spectrum
