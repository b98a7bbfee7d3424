#include "host/results/distribution.hh"

#include "analysis/statistics/estimate.hh"
#include "host/results/path_points.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace crx {

namespace {

constexpr double most_bins = 40;
constexpr std::size_t most_points = 400;

/// Instances of a value; of a ratio `low` is the lower end of its bin in the store, no less than
/// the smallest ratio.
struct Bin
{
    double low, middle;
    std::int64_t count;
};

/// Ascending.
using Bins = std::vector<Bin>;

Bins bins_of_ratios(PolicyTally const& tally, BaselineKind baseline)
{
    auto const k = static_cast<std::size_t>(baseline);
    auto const smallest = tally.sums.ratio[k].smallest.ratio;
    auto const largest = tally.sums.ratio[k].largest.ratio;
    Bins bins;
    for (auto const& [bin, count] : tally.histogram[k]) {
        auto const start = histogram_bin_start(bin);
        auto const middle = start + (histogram_bin_start(bin + 1) - start) / 2;
        bins.push_back({to_double(std::max(start, smallest)),
                        to_double(std::clamp(middle, smallest, largest)), count});
    }
    return bins;
}

Bins bins_of_paths(CellResult const& cell, std::size_t policy, Measure what)
{
    std::map<double, std::int64_t> counts;
    auto const value_of_path = path_measure(what);
    for (auto const& path : cell.paths->at(policy))
        if (auto const value = value_of_path(path.tallies[cell.horizon]); !std::isnan(value))
            ++counts[value];
    Bins bins;
    for (auto const& [value, count] : counts) bins.push_back({value, value, count});
    return bins;
}

Bins bins_of(PanelSource const& source, CellResult const& cell, std::size_t policy)
{
    if (cell.paths == nullptr) return bins_of_ratios(cell.tally.at(policy), source.baseline);
    return cell.paths->empty() ? Bins{} : bins_of_paths(cell, policy, source.measure);
}

Point share_of(PanelSource const& source, double x, std::int64_t count, std::int64_t all)
{
    auto const share = frequency(count, all, source.confidence);
    Point point;
    point.x = x;
    point.y = share.share();
    point.low = share.low;
    point.high = share.high;
    return point;
}

std::vector<Point> histogram(PanelSource const& source, Bins const& bins, std::int64_t all)
{
    auto const width = bin_width(source);
    std::map<std::int64_t, std::int64_t> counts;
    for (auto const& bin : bins) counts[std::llround(std::floor(bin.middle / width))] += bin.count;
    std::vector<Point> points;
    for (auto k = counts.begin()->first; k <= counts.rbegin()->first; ++k) {
        auto const found = counts.find(k);
        points.push_back(share_of(source, (static_cast<double>(k) + 0.5) * width,
                                  found == counts.end() ? 0 : found->second, all));
    }
    return points;
}

std::vector<Point> exceedance(PanelSource const& source, Bins const& bins, std::int64_t all)
{
    auto const step = (bins.size() + most_points - 1) / most_points;
    std::vector<Point> points;
    auto left = all;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (i % step == 0 || i + 1 == bins.size())
            points.push_back(share_of(source, bins[i].low, left, all));
        left -= bins[i].count;
    }
    return points;
}

} // namespace

fluid::PathMeasure path_measure(Measure what)
{
    if (what == Measure::throughput_gap) return fluid::gap;
    if (what == Measure::throughput_gap_as_in_8) return fluid::gap_as_in_8;
    if (what == Measure::throughput) return fluid::throughput;
    if (what == Measure::mean_first_token) return fluid::first_token;
    return what == Measure::mean_latency ? fluid::latency : fluid::peak_memory;
}

double bin_width(PanelSource const& source)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (auto const* cell : source.cells)
        for (std::size_t k = 0; k < source.policies.size(); ++k) {
            if (!source.shows(source.policies[k])) continue;
            auto const bins = bins_of(source, *cell, k);
            if (bins.empty()) continue;
            low = std::min(low, bins.front().low);
            high = std::max(high, bins.back().middle);
        }
    CRX_EXPECT(low <= high);
    auto const span = std::max(high - low, 1e-3 * std::abs(high));
    if (span == 0) return 1;
    auto const least = span / (most_bins - 1); // one more may be begun at either end
    auto const power = std::pow(10, std::floor(std::log10(least)));
    for (double const factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

std::vector<Point> distribution_points(PanelSource const& source, Cells const& cells,
                                       std::size_t policy)
{
    if (cells.size() > 1) complain_of_two(source, *cells[0], *cells[1]);
    auto const& cell = *cells.front();
    auto const bins = bins_of(source, cell, policy);
    if (bins.empty()) return {};
    std::int64_t all = 0;
    for (auto const& bin : bins) all += bin.count;
    auto points = source.panel.kind == "histogram" ? histogram(source, bins, all)
                                                   : exceedance(source, bins, all);
    auto const counts = point_counts(cell, policy, source.measure, source.baseline);
    for (auto& point : points) {
        point.counts = counts;
        point.partial = counts.unfinished > 0;
        point.cell = &cell;
    }
    return points;
}

} // namespace crx
