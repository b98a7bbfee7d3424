#pragma once

#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/problem.hh"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
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

/// Two-sided bounds on the largest eigenvalue at s = 0, from sums of 1/(2k-1) alone
/// (docs/findings/spectrum.md, Theorems 2 and 3).
///
/// With O = 1 + sum_{l<k<=u} 1/(2k-1) (at l = 1 the sum of all 1/(2k-1)):
/// - upper: 3/4 + O/2, because A = vv'/2 + G with v_i = i, v'B^-1 v = O and G <= 3B/4;
/// - lower: 3/4 + O/2 - 1/(4O), the Rayleigh quotient of B^-1 v, for l = 1.
struct ProvenBounds
{
    double lower; ///< 1, the trivial bound, if l > 1
    double upper;
};

/// Domain: 1 <= l <= u, s = 0; u as large as it can be. O(1). Error: below 1e-14 relative. Throws
/// std::domain_error if s > 0.
ProvenBounds proven_bounds(Problem const& problem);

/// 1 + sum_{l<k<=u} 1/(2k-1), in O(1) from harmonic numbers. Domain: 1 <= l <= u.
double odd_harmonic(Problem const& problem);

/// ln(u)/4 + 3/4 + (gamma + ln 4)/4 - (pi^2/24)/(ln u + gamma + ln 4): rho(u) up to O(1/ln^2 u) at
/// l = 1, s = 0 (Theorem 4). Domain: u >= 1. Throws std::domain_error.
double asymptotic_rho(double u);

} // namespace crx::spectrum
