#include "analysis/fluid/heavy_traffic.hh"

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

namespace {

constexpr std::size_t groups = 20;

double seconds(IterationTally const& t) { return static_cast<double>(t.until) * 1e-9; }
/// NaN where nobody arrived: such a path has no mean over its arrivals.
double per_arrival(Unsigned128 total, IterationTally const& t)
{
    return t.arrivals == 0 ? std::nan("")
                           : static_cast<double>(total) * 1e-9 / static_cast<double>(t.arrivals);
}
} // namespace

double gap(IterationTally const& t)
{
    return static_cast<double>(t.tokens_in_system()) / seconds(t);
}
double gap_as_in_8(IterationTally const& t)
{
    return static_cast<double>(t.tokens_in_system() + t.in_system()) / seconds(t);
}
double throughput(IterationTally const& t)
{
    return static_cast<double>(t.completed_tokens) / seconds(t);
}
double latency(IterationTally const& t) { return per_arrival(t.total_latency(), t); }
double first_token(IterationTally const& t)
{
    return per_arrival(t.total_time_to_first_token(), t);
}
double peak_memory(IterationTally const& t) { return static_cast<double>(t.peak_memory); }

namespace {

PathMean mean_of(Paths const& paths, std::size_t point, PathMeasure measure, double confidence)
{
    std::vector<double> sample;
    for (auto const& path : paths) sample.push_back(measure(path[point]));
    return mean_of_paths(sample, confidence);
}

/// Least-squares slope of log mean, over the paths from, from + step, ..
double slope(Paths const& paths, std::size_t from, std::size_t step, std::size_t fit_from,
             PathMeasure measure)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (auto point = fit_from; point < paths.front().size(); ++point) {
        double sum = 0, count = 0;
        for (auto path = from; path < paths.size(); path += step) {
            auto const value = measure(paths[path][point]);
            if (std::isnan(value)) continue;
            sum += value;
            ++count;
        }
        auto const x = std::log(seconds(paths.front()[point])), y = std::log(sum / count);
        n += 1;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    auto const value = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    return std::isfinite(value) ? value : std::nan("");
}

} // namespace

Exponent exponent(Paths const& paths, std::size_t fit_from, PathMeasure measure, double confidence)
{
    CRX_EXPECT(!paths.empty() && fit_from + 2 <= paths.front().size());
    auto const value = slope(paths, 0, 1, fit_from, measure);
    if (paths.size() < 2 * groups) return {value, std::nan("")};
    std::vector<double> sample;
    for (std::size_t g = 0; g < groups; ++g) {
        auto const one = slope(paths, g, groups, fit_from, measure);
        if (std::isfinite(one)) sample.push_back(one);
    }
    if (sample.size() < groups)
        return {value, std::nan("")}; // the others were chosen by what they show
    return {value, mean_of_paths(sample, confidence, 1).half_width};
}

HorizonPoint horizon_point(Paths const& paths, std::size_t point, double confidence)
{
    CRX_EXPECT(!paths.empty() && point < paths.front().size());
    auto const count = static_cast<double>(paths.size());
    HorizonPoint p;
    p.horizon = seconds(paths.front()[point]);
    p.gap = mean_of(paths, point, gap, confidence);
    p.gap_as_in_8 = mean_of(paths, point, gap_as_in_8, confidence);
    p.throughput = mean_of(paths, point, throughput, confidence);
    p.latency = mean_of(paths, point, latency, confidence);
    p.first_token = mean_of(paths, point, first_token, confidence);
    p.peak_memory = mean_of(paths, point, peak_memory, confidence);
    std::int64_t overflowed = 0;
    for (auto const& path : paths) {
        auto const& t = path[point];
        p.largest_memory = std::max(p.largest_memory, t.peak_memory);
        overflowed += t.overflows > 0;
        p.iterations += static_cast<double>(t.iterations) / count;
        p.cancelled += static_cast<double>(t.cancelled) / count;
    }
    p.overflow = frequency(overflowed, static_cast<std::int64_t>(paths.size()), confidence);
    return p;
}

HeavyTrafficCurve heavy_traffic_curve(Paths const& paths, std::size_t fit_from, double confidence)
{
    HeavyTrafficCurve curve;
    for (std::size_t point = 0; point < paths.front().size(); ++point)
        curve.points.push_back(horizon_point(paths, point, confidence));
    curve.gap = exponent(paths, fit_from, gap, confidence);
    curve.latency = exponent(paths, fit_from, latency, confidence);
    curve.first_token = exponent(paths, fit_from, first_token, confidence);
    curve.peak_memory = exponent(paths, fit_from, peak_memory, confidence);
    return curve;
}

TypePoint type_point(std::vector<TypeTally> const& paths, Nanoseconds until, double confidence)
{
    CRX_EXPECT(!paths.empty() && confidence > 0 && confidence < 1);
    TypePoint point;
    std::vector<double> latency, first_token, arrivals;
    for (auto const& tally : paths) {
        point.arrivals += tally.arrivals;
        point.completed += tally.completed;
        point.first_tokens += tally.first_tokens;
        latency.push_back(static_cast<double>(tally.total_latency(until)) * 1e-9);
        first_token.push_back(static_cast<double>(tally.total_time_to_first_token(until)) * 1e-9);
        arrivals.push_back(static_cast<double>(tally.arrivals));
    }
    point.latency = ratio_over_paths(latency, arrivals, confidence);
    point.first_token = ratio_over_paths(first_token, arrivals, confidence);
    return point;
}

} // namespace crx::fluid
