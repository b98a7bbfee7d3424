#include "analysis/spectrum/sampling.hh"

#include <algorithm>
#include <cmath>

namespace crx::spectrum {

std::vector<FigurePoint> sampled(double low, double high, int count, bool logarithmic,
                                 std::function<double(double)> const& function)
{
    std::vector<FigurePoint> points;
    for (int i = 0; i <= count; ++i) {
        double const part = static_cast<double>(i) / count;
        double const x = logarithmic ? low * std::pow(high / low, part) : low + (high - low) * part;
        points.push_back({x, function(x)});
    }
    return points;
}

std::vector<FigurePoint> sampled_whole(double last,
                                       std::function<double(std::int64_t)> const& function)
{
    std::vector<FigurePoint> points;
    for (double u = 1; u < last; u = std::max(u + 1, std::floor(u * 1.06)))
        points.push_back({u, function(static_cast<std::int64_t>(u))});
    points.push_back({last, function(static_cast<std::int64_t>(last))});
    return points;
}

} // namespace crx::spectrum
