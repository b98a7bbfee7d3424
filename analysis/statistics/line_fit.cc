#include "analysis/statistics/line_fit.hh"

#include "kernels/base/host_device.cuh"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace crx {

LineFit fit_line(std::vector<double> const& x, std::vector<double> const& y, double confidence)
{
    CRX_EXPECT(x.size() == y.size() && x.size() >= 3 && confidence > 0 && confidence < 1);
    auto const n = static_cast<double>(x.size());
    double const mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
    double const mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
    double xx = 0, xy = 0, rest = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        xx += (x[k] - mean_x) * (x[k] - mean_x);
        xy += (x[k] - mean_x) * (y[k] - mean_y);
    }
    CRX_EXPECT(xx > 0);
    LineFit fit;
    fit.slope = xy / xx;
    fit.intercept = mean_y - fit.slope * mean_x;
    for (std::size_t k = 0; k < x.size(); ++k) {
        double const off = y[k] - fit.intercept - fit.slope * x[k];
        rest += off * off;
    }
    boost::math::students_t const law(n - 2);
    double const half =
        boost::math::quantile(law, (1 + confidence) / 2) * std::sqrt(rest / (n - 2) / xx);
    fit.slope_low = fit.slope - half;
    fit.slope_high = fit.slope + half;
    return fit;
}

} // namespace crx
