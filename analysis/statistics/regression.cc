#include "analysis/statistics/regression.hh"

#include "analysis/statistics/estimate.hh"
#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <cmath>
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

} // namespace crx
