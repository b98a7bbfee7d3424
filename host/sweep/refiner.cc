#include "host/sweep/refiner.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <set>

namespace crx {

AxisScale scale_of(std::vector<double> const& values)
{
    if (values.size() < 3 || !(values.front() > 0)) return AxisScale::linear;
    auto const [first, second] = std::pair(values[0], values[1]);
    double least_step = second - first, most_step = least_step;
    double least_log = std::log(second / first), most_log = least_log;
    for (std::size_t i = 2; i < values.size(); ++i) {
        double const step = values[i] - values[i - 1];
        double const log = std::log(values[i] / values[i - 1]);
        least_step = std::min(least_step, step);
        most_step = std::max(most_step, step);
        least_log = std::min(least_log, log);
        most_log = std::max(most_log, log);
    }
    bool const ratios_vary_less = most_log * least_step < most_step * least_log;
    return ratios_vary_less ? AxisScale::logarithmic : AxisScale::linear;
}

double midpoint(AxisScale scale, double low, double high)
{
    return scale == AxisScale::linear ? low + (high - low) / 2 : std::sqrt(low) * std::sqrt(high);
}

std::vector<std::pair<double, double>> gaps_to_refine(std::vector<LineCell> const& line)
{
    std::set<std::pair<double, double>> gaps;
    auto const policies = line.empty() ? 0 : line.front().ratios.size();
    for (std::size_t policy = 0; policy < policies; ++policy) {
        std::size_t worst = 0;
        for (std::size_t i = 1; i < line.size(); ++i)
            if (larger_mean(line[i].ratios[policy], line[worst].ratios[policy])) worst = i;
        if (line[worst].ratios[policy].count == 0) continue;
        if (worst > 0) gaps.emplace(line[worst - 1].value, line[worst].value);
        if (worst + 1 < line.size()) gaps.emplace(line[worst].value, line[worst + 1].value);
    }
    return {gaps.begin(), gaps.end()};
}

std::vector<std::pair<double, double>>
gaps_of_capacity(std::vector<double> const& values,
                 std::vector<std::vector<double>> const& attained, double share)
{
    std::set<std::pair<double, double>> gaps;
    auto const policies = attained.empty() ? 0 : attained.front().size();
    for (std::size_t policy = 0; policy < policies; ++policy)
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (attained[k][policy] >= share) continue;
            if (k > 0) gaps.emplace(values[k - 1], values[k]);
            break;
        }
    return {gaps.begin(), gaps.end()};
}

namespace {

std::vector<double> attained_in(Tally const& tally)
{
    std::vector<double> shares;
    for (auto const& policy : tally) {
        MeasureGroup all;
        for (auto const& group : policy.measures.group) all.add(group);
        shares.push_back(static_cast<double>(all.attained) / static_cast<double>(all.requests));
    }
    return shares;
}

} // namespace

Refiner::Refiner(Plan const& plan) : plan_(plan)
{
    for (auto const& sweep : plan.sweeps) {
        if (!sweep.refinement || sweep.refinement->rounds < 1) continue;
        auto const axis = std::find_if(sweep.axes.begin(), sweep.axes.end(), [&](auto const& a) {
            return a.first == sweep.refinement->axis;
        });
        bool const is_capacity = sweep.refinement->is_capacity();
        auto const baseline = is_capacity ? std::optional(BaselineKind{})
                                          : baseline_named(sweep.refinement->baseline);
        if (axis == sweep.axes.end() || !baseline)
            throw InputError("sweep " + sweep.name + ": refinement along " +
                             sweep.refinement->axis + " over " + sweep.refinement->baseline +
                             ": no such axis or baseline");
        rounds_ = std::max(rounds_, sweep.refinement->rounds);
        sweeps_.emplace(sweep.name, SweepLines{&sweep,
                                               static_cast<std::size_t>(axis - sweep.axes.begin()),
                                               axis->second,
                                               *baseline,
                                               {}});
    }
}

void Refiner::add(PlannedCell const& cell, std::int64_t index)
{
    auto const found = sweeps_.find(cell.sweep);
    if (found == sweeps_.end()) return;
    std::vector<double> others;
    for (std::size_t i = 0; i < cell.coordinates.size(); ++i)
        if (i != found->second.axis) others.push_back(cell.coordinates[i].second);
    double const value = cell.coordinates[found->second.axis].second;
    found->second.lines[others].try_emplace(value,
                                            Known{index, cell.coordinates, cell.identity, {}, {}});
}

std::vector<PlannedCell> Refiner::next_round(int round,
                                             std::function<Tally(std::int64_t cell)> const& tally)
{
    std::vector<PlannedCell> cells;
    for (auto const& sweep : plan_.sweeps) {
        auto const found = sweeps_.find(sweep.name);
        if (found == sweeps_.end() || sweep.refinement->rounds < round) continue;
        for (auto& [others, line] : found->second.lines) refine(found->second, line, tally, cells);
    }
    return cells;
}

std::vector<std::pair<double, double>>
Refiner::gaps_in(SweepLines const& sweep, Line& line,
                 std::function<Tally(std::int64_t)> const& tally)
{
    if (sweep.sweep->refinement->is_capacity()) {
        std::vector<double> values;
        std::vector<std::vector<double>> attained;
        for (auto& [value, known] : line) {
            if (known.attained.empty()) known.attained = attained_in(tally(known.index));
            values.push_back(value);
            attained.push_back(known.attained);
        }
        return gaps_of_capacity(values, attained, sweep.sweep->refinement->share);
    }
    std::vector<LineCell> seen;
    for (auto& [value, known] : line) {
        if (known.ratios.empty())
            for (auto const& policy : tally(known.index))
                known.ratios.push_back(sum_of_ratios(policy, sweep.baseline));
        seen.push_back({value, known.ratios});
    }
    return gaps_to_refine(seen);
}

void Refiner::refine(SweepLines& sweep, Line& line, std::function<Tally(std::int64_t)> const& tally,
                     std::vector<PlannedCell>& cells)
{
    for (auto const& [low, high] : gaps_in(sweep, line, tally)) {
        auto cell = cell_between(sweep, line, low, high);
        if (cell)
            cells.push_back(std::move(*cell));
        else
            notes_.push_back(fmt::format("sweep {}: nothing new between {}={} and {}",
                                         sweep.sweep->name, sweep.sweep->refinement->axis, low,
                                         high));
    }
}

std::optional<PlannedCell> Refiner::cell_between(SweepLines const& sweep, Line const& line,
                                                 double low, double high)
{
    double const middle = midpoint(scale_of(sweep.grid), low, high);
    // An axis may take whole numbers only; then the nearest is tried.
    for (double const value : {middle, std::round(middle)}) {
        if (!(low < value && value < high)) continue;
        auto coordinates = line.begin()->second.coordinates;
        coordinates[sweep.axis].second = value;
        try {
            auto cell = plan_.make_cell(sweep.sweep->name, coordinates);
            cell.cell = {};
            // A law with coarser steps than the axis may make the same cell again.
            bool const known = std::any_of(line.begin(), line.end(), [&](auto const& other) {
                return other.second.identity == cell.identity;
            });
            if (!known) return cell;
        } catch (InputError const&) {
            // Not a valid cell: there is nothing to run here.
        }
    }
    return std::nullopt;
}

} // namespace crx
