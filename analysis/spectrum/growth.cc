#include "analysis/spectrum/growth.hh"

#include "analysis/bounds/domain.hh"
#include "analysis/bounds/geometric.hh"
#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/bounds/two_point_bounds.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <numbers>

namespace crx::spectrum {

std::vector<GrowthPoint> growth(std::span<std::int64_t const> us, std::int64_t l, double s,
                                Options const& options)
{
    std::vector<GrowthPoint> points;
    for (auto const u : us) {
        auto const found = solve_dominant({l, u, s}, options);
        double slope = std::numeric_limits<double>::quiet_NaN();
        if (!points.empty()) {
            auto const& last = points.back();
            slope = (found.rho - last.rho) /
                    std::log(static_cast<double>(u) / static_cast<double>(last.u));
        }
        points.push_back({u, found.rho, found.error(), found.iterations, slope});
    }
    return points;
}

std::vector<std::int64_t> growth_points(std::int64_t l, std::int64_t u)
{
    std::vector<std::int64_t> points;
    for (std::int64_t decade = 1; decade <= u; decade *= 10) {
        for (std::int64_t const digit : {1, 2, 5})
            if (decade * digit >= l && decade * digit <= u) points.push_back(decade * digit);
        if (decade > std::numeric_limits<std::int64_t>::max() / 10) break;
    }
    if (points.empty() || points.back() != u) points.push_back(u);
    return points;
}

double LogarithmicFit::operator()(double u) const { return a * std::log(u + b) + c; }

namespace {

// Straight line through (ln(u+b), rho), which is least squares in a and c.
LogarithmicFit fit_line(std::span<double const> u, std::span<double const> rho, double b)
{
    auto const n = static_cast<double>(u.size());
    double mean_x = 0;
    double mean_y = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        mean_x += std::log(u[i] + b) / n;
        mean_y += rho[i] / n;
    }
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        double const x = std::log(u[i] + b) - mean_x;
        double const y = rho[i] - mean_y;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    LogarithmicFit fit{xy / xx, b, mean_y - xy / xx * mean_x, 0, 0};
    double squares = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        double const residual = std::abs(rho[i] - fit(u[i]));
        squares += residual * residual;
        fit.largest_residual = std::max(fit.largest_residual, residual);
    }
    fit.r_squared = 1 - squares / yy;
    return fit;
}

} // namespace

LogarithmicFit fit_logarithm(std::span<double const> u, std::span<double const> rho)
{
    auto const count = static_cast<double>(u.size());
    bounds::require(u.size() >= 4 && u.size() == rho.size(), "number of points", count,
                    "at least 4, as many of u as of rho");
    bounds::require(u[0] >= 1, "first u", u[0], "at least 1");
    double low = -0.5 - u[0] / 2 + 1e-3;
    double high = 5;
    auto const loss = [&](double b) { return -fit_line(u, rho, b).r_squared; };
    double const ratio = 1 / std::numbers::phi;
    while (high - low > 1e-9) {
        double const left = high - ratio * (high - low);
        double const right = low + ratio * (high - low);
        if (loss(left) < loss(right))
            high = right;
        else
            low = left;
    }
    return fit_line(u, rho, (low + high) / 2);
}

namespace {

// 1 + 1/3 + ... + 1/(2n-1).
double odd_sum(std::int64_t n)
{
    // H_2n - H_n is ln 2 - 1/(4n) from there on, and 2n may have no place in 64 bits.
    if (n >= std::int64_t{1} << 53) return bounds::harmonic_number(n) / 2 + std::numbers::ln2;
    return bounds::harmonic_number(2 * n) - bounds::harmonic_number(n) / 2;
}

} // namespace

double odd_harmonic(Problem const& problem)
{
    return problem.l == 1 ? odd_sum(problem.u) : 1 + (odd_sum(problem.u) - odd_sum(problem.l));
}

ProvenBounds proven_bounds(Problem const& problem)
{
    bounds::require(problem.s == 0, "s", problem.s, "0 (the bound is proven there only)");
    double const sum = odd_harmonic(problem);
    double const upper = 0.75 + sum / 2;
    return {problem.l == 1 ? upper - 1 / (4 * sum) : 1, upper};
}

double asymptotic_rho(double u)
{
    bounds::require(u >= 1 && std::isfinite(u), "u", u, "a finite number, at least 1");
    constexpr double pi = std::numbers::pi;
    double const doubled = std::log(u) + std::numbers::egamma + std::log(4.0);
    return 0.75 + doubled / 4 - pi * pi / 24 / doubled;
}

} // namespace crx::spectrum
