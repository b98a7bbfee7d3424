#include "analysis/statistics/regression.hh"

#include "analysis/statistics/estimate.hh"
#include "kernels/base/host_device.cuh"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace crx {

std::optional<Regression> regress_line(std::span<FitPoint const> points, double confidence)
{
    CRX_EXPECT(confidence > 0 && confidence < 1);
    auto const n = static_cast<double>(points.size());
    double x_mean = 0, y_mean = 0;
    for (auto const& p : points) {
        CRX_EXPECT(std::isfinite(p.x) && std::isfinite(p.y));
        x_mean += p.x / n;
        y_mean += p.y / n;
    }
    double xx = 0, xy = 0, yy = 0;
    bool distinct = false;
    for (auto const& p : points) {
        distinct |= p.x != points.front().x;
        xx += (p.x - x_mean) * (p.x - x_mean);
        xy += (p.x - x_mean) * (p.y - y_mean);
        yy += (p.y - y_mean) * (p.y - y_mean);
    }
    if (!distinct) return std::nullopt;
    Regression fit;
    fit.points = static_cast<int>(points.size());
    fit.slope = xy / xx;
    fit.intercept = y_mean - fit.slope * x_mean;
    double left = 0;
    for (auto const& p : points) {
        double const miss = p.y - fit.intercept - fit.slope * p.x;
        left += miss * miss;
    }
    if (yy > 0) fit.r_squared = std::max(0.0, 1 - left / yy);
    if (fit.points > 2)
        fit.scatter =
            two_sided_quantile(fit.points - 1, confidence) * std::sqrt(left / (n - 2) / xx);
    double sampling = 0;
    for (auto const& p : points) {
        if (!p.half_width) return fit;
        sampling += std::abs(p.x - x_mean) / xx * *p.half_width;
    }
    fit.sampling = sampling;
    return fit;
}

std::optional<Regression> regress_power(std::span<FitPoint const> points, double confidence)
{
    std::vector<FitPoint> logs;
    for (auto const& p : points) {
        if (!(p.x > 0 && p.y > 0)) return std::nullopt;
        FitPoint log{std::log(p.x), std::log(p.y), {}};
        if (p.half_width) log.half_width = *p.half_width / p.y;
        logs.push_back(log);
    }
    return regress_line(logs, confidence);
}

std::optional<FiniteSizeFit> regress_finite_size(std::span<FitPoint const> points,
                                                 double confidence)
{
    CRX_EXPECT(confidence > 0 && confidence < 1);
    auto const n = static_cast<Eigen::Index>(points.size());
    std::set<double> places;
    Eigen::MatrixXd terms(n, 3);
    Eigen::VectorXd y(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        auto const& p = points[static_cast<std::size_t>(i)];
        CRX_EXPECT(std::isfinite(p.x) && std::isfinite(p.y));
        if (!(p.x > 0 && p.y > 0)) return std::nullopt;
        places.insert(p.x);
        terms.row(i) << 1, std::log(p.x), 1 / std::sqrt(p.x);
        y(i) = std::log(p.y);
    }
    if (places.size() < 4) return std::nullopt;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> const solver(terms);
    Eigen::Vector3d const best = solver.solve(y);
    y.noalias() -= terms * best;
    auto const left = y.squaredNorm();
    Eigen::Matrix3d const inverse = (terms.transpose() * terms).inverse();
    auto const deviation = std::sqrt(left / static_cast<double>(n - 3) * inverse(1, 1));
    return FiniteSizeFit{best(1), best(2), static_cast<int>(n),
                         two_sided_quantile(n - 2, confidence) * deviation};
}

} // namespace crx
