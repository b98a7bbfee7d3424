#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

/// Whether two samples of integers come from one law.
namespace crx_test {

using Totals = std::map<std::int64_t, std::int64_t>; // value, such as total latency -> instances

/// Two-sample chi-square of equally many total latencies over a threshold passed with probability
/// 1e-9 if the laws are equal: d + 2 sqrt(d x) + 2x, x = log 1e9 (Laurent and Massart 2000, Lemma
/// 1; chi-square is the limit law). Neighbours are joined until a cell holds 60 of both.
inline double distance(Totals const& one, Totals const& other)
{
    std::map<std::int64_t, std::pair<double, double>> both;
    for (auto const& [total, count] : one) both[total].first += static_cast<double>(count);
    for (auto const& [total, count] : other) both[total].second += static_cast<double>(count);
    double statistic = 0, a = 0, b = 0;
    int cells = 0;
    for (auto const& [total, counts] : both) {
        a += counts.first;
        b += counts.second;
        if (a + b < 60) continue;
        statistic += (a - b) * (a - b) / (a + b);
        ++cells;
        a = b = 0;
    }
    if (a + b > 0) {
        statistic += (a - b) * (a - b) / (a + b);
        ++cells;
    }
    double const d = cells, x = std::log(1e9);
    return statistic / (d + 2 * std::sqrt(d * x) + 2 * x);
}

/// |difference of mean total latency| in standard errors, over 6.2: normal limit, 6e-10 two-sided.
inline double mean_distance(Totals const& one, Totals const& other)
{
    auto const moments = [](Totals const& totals) {
        double n = 0, sum = 0, squares = 0;
        for (auto const& [total, count] : totals) {
            auto const c = static_cast<double>(count), x = static_cast<double>(total);
            n += c;
            sum += c * x;
            squares += c * x * x;
        }
        auto const mean = sum / n;
        return std::pair{mean, (squares / n - mean * mean) / n};
    };
    auto const [m1, v1] = moments(one);
    auto const [m2, v2] = moments(other);
    auto const error = std::sqrt(std::max(v1 + v2, 1e-12 * m1 * m1 + 1e-12));
    return std::abs(m1 - m2) / error / 6.2;
}

} // namespace crx_test
