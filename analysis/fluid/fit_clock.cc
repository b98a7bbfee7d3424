#include "analysis/fluid/fit_clock.hh"

#include "kernels/base/host_device.cuh"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace crx {

namespace {

/// How long a request ran within [from, to], and the tokens it held integrated over that.
struct Share
{
    double time = 0, token_time = 0;
};

Share share_of(MeasuredRequest const& r, double from, double to)
{
    auto const first = static_cast<double>(r.first_token), last = static_cast<double>(r.last_token);
    auto const begin = std::max(from, first), end = std::min(to, last);
    if (!(end > begin)) return {};
    auto const slope = last > first ? (r.output - 1) / (last - first) : 0.0;
    auto const held = [&](double t) { return r.prompt + 1 + slope * (t - first); };
    return {end - begin, (end - begin) * (held(begin) + held(end)) / 2};
}

} // namespace

std::array<double, 4> non_negative_least_squares(std::vector<std::array<double, 4>> const& rows,
                                                 std::vector<double> const& right)
{
    CRX_EXPECT(!rows.empty() && rows.size() == right.size());
    Eigen::MatrixXd a(static_cast<Eigen::Index>(rows.size()), 4);
    Eigen::VectorXd b(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (int k = 0; k < 4; ++k)
            a(static_cast<Eigen::Index>(i), k) = rows[i][static_cast<std::size_t>(k)];
        b(static_cast<Eigen::Index>(i)) = right[i];
    }
    std::array<double, 4> best = {};
    double least = b.squaredNorm();
    for (int subset = 1; subset < 16; ++subset) {
        std::vector<int> columns;
        for (int k = 0; k < 4; ++k)
            if ((subset >> k & 1) != 0) columns.push_back(k);
        Eigen::MatrixXd part(a.rows(), static_cast<Eigen::Index>(columns.size()));
        for (std::size_t c = 0; c < columns.size(); ++c)
            part.col(static_cast<Eigen::Index>(c)) = a.col(columns[c]);
        Eigen::VectorXd const x = part.colPivHouseholderQr().solve(b);
        if (!(x.minCoeff() >= 0)) continue;
        auto const error = (part * x - b).squaredNorm();
        if (!(error < least)) continue;
        least = error;
        best = {};
        for (std::size_t c = 0; c < columns.size(); ++c)
            best[static_cast<std::size_t>(columns[c])] = x(static_cast<Eigen::Index>(c));
    }
    return best;
}

ClockFit fit_clock(std::vector<MeasuredRequest> const& all)
{
    std::vector<MeasuredRequest> requests;
    for (auto const& r : all)
        if (r.scheduled < r.first_token && r.first_token <= r.last_token) requests.push_back(r);
    CRX_EXPECT(!requests.empty());
    std::vector<std::array<double, 4>> rows;
    ClockFit fit;
    // The mean round of `rounds` of them in [from, to], of which `entered` prompt tokens are a
    // part.
    auto const add = [&](std::int64_t from, std::int64_t to, double rounds, double entered) {
        auto const length = static_cast<double>(to - from);
        Share sum;
        for (auto const& other : requests) {
            auto const share = share_of(other, static_cast<double>(from), static_cast<double>(to));
            sum.time += share.time;
            sum.token_time += share.token_time;
        }
        rows.push_back({1, sum.token_time / length, entered / rounds, sum.time / length});
        fit.measured.push_back(length / rounds);
    };
    auto const entering = [&](std::int64_t after, std::int64_t upto) {
        double sum = 0;
        for (auto const& r : requests)
            if (r.first_token > after && r.first_token <= upto) sum += r.prompt;
        return sum;
    };
    for (auto const& r : requests) {
        if (r.output >= 2 && r.last_token > r.first_token)
            add(r.first_token, r.last_token, r.output - 1, entering(r.first_token, r.last_token));
        double together = 0; // prompts whose first token came at the same moment
        for (auto const& other : requests)
            if (other.first_token == r.first_token) together += other.prompt;
        add(r.scheduled, r.first_token, 1, together);
    }
    // A round of many seconds must not outweigh all others: rows count by their relative error.
    auto scaled = rows;
    std::vector<double> right;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (auto& x : scaled[i]) x /= fit.measured[i];
        right.push_back(1);
    }
    fit.cost = non_negative_least_squares(scaled, right);
    fit.rows = static_cast<std::int64_t>(rows.size());
    double mean = 0, residual = 0, about_mean = 0;
    for (double const m : fit.measured) mean += m / static_cast<double>(fit.rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double value = 0;
        for (std::size_t k = 0; k < 4; ++k) value += fit.cost[k] * rows[i][k];
        fit.fitted.push_back(value);
        residual += (value - fit.measured[i]) * (value - fit.measured[i]);
        about_mean += (fit.measured[i] - mean) * (fit.measured[i] - mean);
    }
    fit.rms = std::sqrt(residual / static_cast<double>(fit.rows));
    fit.explained = about_mean > 0 ? 1 - residual / about_mean : 1;
    return fit;
}

} // namespace crx
