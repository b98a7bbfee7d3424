#include "host/results/request_measures.hh"

#include "analysis/statistics/quantile.hh"
#include "analysis/statistics/estimate.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace crx {

namespace {

/// The middle of the bin of the value with that rank.
double ranked(MeasureGroup::Values const& values, std::int64_t permille)
{
    auto left = nearest_rank(values.count, permille);
    for (auto const& [bin, count] : values.histogram) {
        left -= count;
        if (left > 0) continue;
        auto const begin = histogram_bin_start(bin), end = histogram_bin_start(bin + 1);
        auto const middle = static_cast<double>(begin) + static_cast<double>(end - 1 - begin) / 2;
        return std::min(middle, static_cast<double>(values.largest));
    }
    return static_cast<double>(values.largest);
}

/// What a group, or several together, say; not a number where they say nothing.
double value_in(MeasureGroup const& group, RequestStatistic const& wanted, double unit,
                double memory)
{
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    if (wanted.measure >= 0) {
        auto const& values = group.value[static_cast<std::size_t>(wanted.measure)];
        if (values.count == 0) return nan;
        auto const scale =
            std::ldexp(wanted.measure == static_cast<int>(RequestMeasure::slowdown) ? 1.0 : unit,
                       -measure_fraction_bits[wanted.measure]);
        constexpr std::int64_t permille[] = {0, 500, 900, 950, 990, 0};
        if (wanted.statistic == 0)
            return scale * static_cast<double>(values.sum) / static_cast<double>(values.count);
        if (wanted.statistic == 5) return scale * static_cast<double>(values.largest);
        return scale * ranked(values, permille[wanted.statistic]);
    }
    auto const time = static_cast<double>(group.time);
    if (!(time > 0)) return nan;
    auto const completed = static_cast<double>(group.tokens);
    auto const requests = static_cast<double>(group.requests);
    switch (wanted.statistic) {
    case 0: return requests / (time * unit);
    case 1: return completed / (time * unit);
    case 2: return static_cast<double>(group.held_time) / time / memory;
    case 3: return static_cast<double>(group.crowded_time) / time;
    case 4:
        return static_cast<double>(group.lost_tokens) /
               (completed + static_cast<double>(group.lost_tokens));
    case 5: return static_cast<double>(group.attained) / requests;
    case 6: return static_cast<double>(group.attained) / (time * unit);
    default: return static_cast<double>(group.attained_tokens) / (time * unit);
    }
}

} // namespace

RequestStatistic statistic_of(Measure what)
{
    auto const place = static_cast<int>(what) - static_cast<int>(Measure::of_requests);
    return *request_statistic_named(request_statistic_names().at(static_cast<std::size_t>(place)));
}

std::optional<Measured> measure_requests(CellResult const& cell, std::size_t policy,
                                         RequestStatistic const& wanted, double confidence)
{
    auto const& groups = cell.tally.at(policy).measures.group;
    auto const found = cell.parameters.find("memory");
    auto const memory = found == cell.parameters.end() ? 1 : found->second;
    double const unit = is_timed(cell) ? 1e-9 : 1;
    MeasureGroup all;
    std::vector<std::size_t> there;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        all.add(groups[g]);
        if (groups[g].requests > 0) there.push_back(g);
    }
    auto const value = value_in(all, wanted, unit, memory);
    if (!std::isfinite(value)) return std::nullopt;
    Measured measured{value, {}, {}};
    bool const is_largest = wanted.measure >= 0 && wanted.statistic == 5;
    if (there.size() < 2 || is_largest) return measured;
    std::vector<double> without;
    double mean = 0;
    for (auto const left_out : there) {
        MeasureGroup others;
        for (auto const g : there)
            if (g != left_out) others.add(groups[g]);
        without.push_back(value_in(others, wanted, unit, memory));
        mean += without.back() / static_cast<double>(there.size());
    }
    double squares = 0;
    for (double const one : without) squares += (one - mean) * (one - mean);
    auto const count = static_cast<double>(there.size());
    auto const half = two_sided_quantile(static_cast<std::int64_t>(there.size()), confidence) *
                      std::sqrt((count - 1) / count * squares);
    if (!std::isfinite(half)) return measured;
    measured.low = value - half;
    measured.high = value + half;
    return measured;
}

std::string request_unit(RequestStatistic const& wanted, std::string const& time)
{
    if (wanted.measure >= 0)
        return wanted.measure == static_cast<int>(RequestMeasure::slowdown) ? "" : time;
    auto const per = time == "rounds" ? std::string("/round") : std::string("/s");
    if (wanted.statistic == 0 || wanted.statistic == 6) return "requests" + per;
    return wanted.statistic == 1 || wanted.statistic == 7 ? "tokens" + per : "";
}

std::string request_label(RequestStatistic const& wanted, std::string const& time)
{
    if (wanted.measure < 0) {
        char const* const texts[] = {"completed requests per {}",
                                     "tokens of completed requests per {}",
                                     "mean share of memory held",
                                     "share of time with 90 % of memory held",
                                     "share of tokens generated in vain",
                                     "share of requests within the objective",
                                     "requests within the objective per {}",
                                     "their tokens per {}"};
        auto const one = time == "rounds" ? std::string("round") : std::string("second");
        return fmt::format(fmt::runtime(texts[wanted.statistic]), one);
    }
    char const* const statistics[] = {
        "mean",   "median", "90th percentile of", "95th percentile of", "99th percentile of",
        "largest"};
    char const* const measures[] = {
        "latency of a request",  "time to the first token", "time to the first token as streamed",
        "time per output token", "slowdown of a request",   "longest gap between tokens"};
    bool const ratio = wanted.measure == static_cast<int>(RequestMeasure::slowdown);
    return fmt::format("{} {}{}", statistics[wanted.statistic], measures[wanted.measure],
                       ratio ? "" : " (" + time + ")");
}

} // namespace crx
