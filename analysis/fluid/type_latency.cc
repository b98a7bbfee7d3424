#include "analysis/fluid/type_latency.hh"

#include "analysis/statistics/moments.hh"

#include <cmath>
#include <limits>

namespace crx::fluid {
namespace {

/// Ratio of the sums of `value` and `weight`.
PathMean ratio(std::vector<double> const& value, std::vector<double> const& weight,
               double confidence)
{
    double values = 0, weights = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        values += value[i];
        weights += weight[i];
    }
    constexpr auto none = std::numeric_limits<double>::quiet_NaN();
    if (weights == 0) return {none, none};
    auto const mean = values / weights;
    double squares = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        auto const residual = value[i] - mean * weight[i];
        squares += residual * residual;
    }
    auto const n = static_cast<double>(value.size());
    auto const error = std::sqrt(squares / (n - 1) * n) / weights;
    return {mean, error * two_sided_quantile(static_cast<std::int64_t>(value.size()), confidence)};
}

} // namespace

TypePoint type_point(std::vector<TypeTally> const& paths, Nanoseconds until, double confidence)
{
    CRX_EXPECT(paths.size() >= 2 && confidence > 0 && confidence < 1);
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
    point.latency = ratio(latency, arrivals, confidence);
    point.first_token = ratio(first_token, arrivals, confidence);
    return point;
}

} // namespace crx::fluid
