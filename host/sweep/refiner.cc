#include "host/sweep/refiner.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/sweep/axis_scale.hh"
#include "host/sweep/refinement.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace crx {

Refiner::Refiner(Plan const& plan) : plan_(plan)
{
    for (auto const& sweep : plan.sweeps) {
        if (!sweep.refinement || sweep.refinement->rounds < 1) continue;
        auto const axis = std::find_if(sweep.axes.begin(), sweep.axes.end(), [&](auto const& a) {
            return a.first == sweep.refinement->axis;
        });
        auto const baseline = baseline_named(sweep.refinement->baseline);
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
                                            Known{index, cell.coordinates, cell.identity, {}});
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

void Refiner::refine(SweepLines& sweep, Line& line, std::function<Tally(std::int64_t)> const& tally,
                     std::vector<PlannedCell>& cells)
{
    std::vector<LineCell> seen;
    for (auto& [value, known] : line) {
        if (known.ratios.empty())
            for (auto const& policy : tally(known.index))
                known.ratios.push_back(sum_of_ratios(policy, sweep.baseline));
        seen.push_back({value, known.ratios});
    }
    for (auto const& [low, high] : gaps_to_refine(seen)) {
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
