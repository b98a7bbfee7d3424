#include "analysis/spectrum/growth.hh"

#include "analysis/bounds/domain.hh"

#include <algorithm>
#include <cmath>
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

} // namespace crx::spectrum
