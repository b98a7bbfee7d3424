#include "analysis/fluid/path_mean.hh"

#include "analysis/statistics/estimate.hh"
#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace crx::fluid {
namespace {

constexpr auto none = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding = 1e-12;

/// From the sum of squares of `count` values about their mean, or of residuals.
double half_width(double squares, std::size_t count, double confidence)
{
    auto const n = static_cast<double>(count);
    return two_sided_quantile(static_cast<std::int64_t>(count), confidence) *
           std::sqrt(squares / (n - 1) / n);
}

} // namespace

PathMean mean_of_paths(std::vector<double> const& values, double confidence, double scale)
{
    CRX_EXPECT(confidence > 0 && confidence < 1);
    std::vector<double> sample;
    for (auto const x : values)
        if (!std::isnan(x)) sample.push_back(x);
    if (sample.empty()) return {none, none};
    double sum = 0, squares = 0;
    for (auto const x : sample) sum += x;
    auto const mean = sum / static_cast<double>(sample.size());
    for (auto const x : sample) squares += (x - mean) * (x - mean);
    auto const [least, most] = std::ranges::minmax(sample);
    auto const size = std::max({scale, std::abs(least), std::abs(most)});
    bool const agree = most - least <= rounding * size;
    if (sample.size() < least_sample || agree) return {mean, none};
    return {mean, half_width(squares, sample.size(), confidence)};
}

PathMean ratio_over_paths(std::vector<double> const& values, std::vector<double> const& weights,
                          double confidence)
{
    CRX_EXPECT(values.size() == weights.size() && confidence > 0 && confidence < 1);
    double total = 0, weight = 0, largest = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        CRX_EXPECT(weights[i] > 0 || (weights[i] == 0 && values[i] == 0));
        total += values[i];
        weight += weights[i];
        largest = std::max(largest, std::abs(values[i]));
        count += weights[i] > 0;
    }
    if (count == 0) return {none, none};
    auto const mean = total / weight;
    double squares = 0;
    bool agree = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto const residual = values[i] - mean * weights[i];
        squares += residual * residual;
        agree = agree && std::abs(residual) <= rounding * largest;
    }
    if (count < least_sample || agree) return {mean, none};
    auto const mean_weight = weight / static_cast<double>(count);
    return {mean, half_width(squares, count, confidence) / mean_weight};
}

} // namespace crx::fluid
