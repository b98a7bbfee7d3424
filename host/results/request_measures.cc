#include "host/results/request_measures.hh"

#include "analysis/statistics/estimate.hh"
#include "analysis/statistics/quantile.hh"
#include "host/results/path_points.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>

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

/// Groups of instances or paths, with the requests of each that completed.
struct Groups
{
    std::array<MeasureGroup, measure_groups> sums;
    std::array<double, measure_groups> completed = {};
};

/// All instances of a group finish, or none of it counts: every request of them completes.
Groups groups_of_instances(CellResult const& cell, std::size_t policy)
{
    Groups groups{cell.tally.at(policy).measures.group};
    auto const n = cell.parameters.find("requests");
    for (std::size_t g = 0; g < groups.sums.size(); ++g)
        groups.completed[g] = n != cell.parameters.end()
                                  ? n->second * static_cast<double>(groups.sums[g].instances)
                                  : static_cast<double>(groups.sums[g].requests);
    return groups;
}

std::optional<Groups> groups_of_paths(CellResult const& cell, std::size_t policy)
{
    if (cell.type >= 0 || cell.measures == nullptr || policy >= cell.measures->size()) return {};
    auto const& horizons = cell.measures->at(policy);
    if (cell.horizon >= horizons.size()) return {};
    Groups groups{horizons[cell.horizon].group};
    for (auto const& path : cell.paths->at(policy))
        groups.completed[static_cast<std::size_t>(path.path % measure_groups)] +=
            static_cast<double>(path.tallies[cell.horizon].completed);
    return groups;
}

/// What a group, or several together, say, of whose requests so many completed; not a number where
/// they say nothing.
double value_in(MeasureGroup const& group, double requests_completed,
                RequestStatistic const& wanted, double unit, double memory)
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
    auto const tokens = static_cast<double>(group.tokens);
    auto const requests = static_cast<double>(group.requests);
    switch (wanted.statistic) {
    case 0: return requests_completed / (time * unit);
    case 1: return tokens / (time * unit);
    case 2: return static_cast<double>(group.held_time) / time / memory;
    case 3: return static_cast<double>(group.crowded_time) / time;
    case 4:
        return static_cast<double>(group.lost_tokens) /
               (tokens + static_cast<double>(group.lost_tokens));
    case 5: return static_cast<double>(group.attained) / requests;
    case 6: return static_cast<double>(group.attained) / (time * unit);
    default: return static_cast<double>(group.attained_tokens) / (time * unit);
    }
}

/// Whether it cannot be above 1.
bool is_share(RequestStatistic const& wanted)
{
    return wanted.measure < 0 && wanted.statistic >= 2 && wanted.statistic <= 5;
}

/// A statistic of all groups, and of all but one, whichever are there.
struct Jackknife
{
    double value = 0;
    std::map<std::size_t, double> without = {}; ///< by group; empty: no interval
};

std::optional<Jackknife> jackknife_of(CellResult const& cell, std::size_t policy,
                                      RequestStatistic const& wanted)
{
    std::optional<Groups> groups;
    auto memory = std::numeric_limits<double>::quiet_NaN();
    if (cell.paths != nullptr) {
        groups = groups_of_paths(cell, policy);
        if (auto const capacity = capacity_of(cell, policy))
            memory = static_cast<double>(*capacity);
    } else {
        groups = groups_of_instances(cell, policy);
        auto const found = cell.parameters.find("memory");
        memory = found == cell.parameters.end() ? 1 : found->second;
    }
    if (!groups) return std::nullopt;
    double const unit = is_timed(cell) ? 1e-9 : 1;
    auto const value_without = [&](std::size_t left_out) {
        MeasureGroup sum;
        double completed = 0;
        for (std::size_t g = 0; g < groups->sums.size(); ++g) {
            if (g == left_out) continue;
            sum.add(groups->sums[g]);
            completed += groups->completed[g];
        }
        return value_in(sum, completed, wanted, unit, memory);
    };
    Jackknife out{value_without(groups->sums.size())};
    if (!std::isfinite(out.value)) return std::nullopt;
    bool const is_largest = wanted.measure >= 0 && wanted.statistic == 5;
    for (std::size_t g = 0; g < groups->sums.size() && !is_largest; ++g)
        if (groups->sums[g].requests > 0) out.without[g] = value_without(g);
    return out;
}

/// Of the values with one group left out each.
std::optional<double> half_width_of(std::vector<double> const& without, double confidence)
{
    if (without.size() < 2) return {};
    auto const count = static_cast<double>(without.size());
    double mean = 0, squares = 0;
    for (double const one : without) mean += one / count;
    for (double const one : without) squares += (one - mean) * (one - mean);
    auto const half = two_sided_quantile(static_cast<std::int64_t>(without.size()), confidence) *
                      std::sqrt((count - 1) / count * squares);
    return std::isfinite(half) ? std::optional(half) : std::nullopt;
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
    auto const found = jackknife_of(cell, policy, wanted);
    if (!found) return std::nullopt;
    Measured measured{found->value, {}, {}};
    std::vector<double> without;
    for (auto const& [group, value] : found->without) without.push_back(value);
    auto const half = half_width_of(without, confidence);
    if (!half) return measured;
    measured.low = std::max(found->value - *half, 0.0);
    measured.high = found->value + *half;
    if (is_share(wanted)) measured.high = std::min(*measured.high, 1.0);
    return measured;
}

std::optional<Estimate> request_difference(CellResult const& cell, std::size_t one,
                                           std::size_t other, RequestStatistic const& wanted,
                                           double confidence)
{
    auto const a = jackknife_of(cell, one, wanted), b = jackknife_of(cell, other, wanted);
    if (!a || !b) return std::nullopt;
    std::vector<double> without;
    for (auto const& [group, value] : a->without)
        if (auto const same = b->without.find(group); same != b->without.end())
            without.push_back(value - same->second);
    return Estimate{a->value - b->value, {}, half_width_of(without, confidence)};
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
