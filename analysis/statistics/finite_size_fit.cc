#include "analysis/statistics/finite_size_fit.hh"

#include "analysis/statistics/estimate.hh"
#include "kernels/base/host_device.cuh"

#include <Eigen/Dense>
#include <cmath>
#include <set>

namespace crx {

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
    auto const left = (y - terms * best).squaredNorm();
    Eigen::Matrix3d const inverse = (terms.transpose() * terms).inverse();
    auto const deviation = std::sqrt(left / static_cast<double>(n - 3) * inverse(1, 1));
    return FiniteSizeFit{best(1), best(2), static_cast<int>(n),
                         two_sided_quantile(n - 2, confidence) * deviation};
}

} // namespace crx
