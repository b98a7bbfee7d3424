#include "host/sweep/plan.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/experiment/sweep_plan.hh"

#include <algorithm>
#include <fmt/core.h>

namespace crx {

Plan plan_of(Experiment const& experiment)
{
    auto const shared = std::make_shared<Experiment const>(experiment);
    Plan plan;
    plan.sweeps = shared->sweeps;
    plan.model = shared->model;
    plan.stop = shared->stop;
    for (auto const& id : shared->baselines) {
        auto const kind = baseline_named(id);
        if (!kind) throw InputError(id + ": not a baseline that a sweep can divide by");
        plan.baselines.push_back(*kind);
    }
    plan.grid = [shared](std::string const& sweep) { return shared->grid(sweep); };
    plan.make_cell = [shared](std::string const& sweep, Coordinates const& coordinates) {
        return shared->make_cell(sweep, coordinates);
    };
    plan.host_baselines = [shared](std::vector<BaselineKind> const& kinds) {
        return std::make_shared<baseline::HindsightBaselines>(kinds,
                                                              shared->detail->baseline_plan.effort);
    };
    return plan;
}

std::vector<PlannedCell> grid_cells(Plan const& plan)
{
    std::vector<PlannedCell> cells;
    for (auto const& sweep : plan.sweeps) {
        for (auto const& coordinates : plan.grid(sweep.name)) {
            cells.push_back(plan.make_cell(sweep.name, coordinates));
            cells.back().cell = {};
            cells.back().paths = nullptr;
        }
    }
    return cells;
}

std::string left_out_text(std::vector<PlannedCell> const& cells)
{
    struct Span
    {
        std::int64_t least, most;
    };
    std::vector<std::string> order; // sweeps as they come
    std::map<std::string, std::map<std::string, Span>> sweeps;
    for (auto const& cell : cells) {
        for (auto const& [source, rows] : cell.left_out) {
            if (rows == 0) continue;
            if (sweeps.count(cell.sweep) == 0) order.push_back(cell.sweep);
            auto& span = sweeps[cell.sweep].try_emplace(source, Span{rows, rows}).first->second;
            span = {std::min(span.least, rows), std::max(span.most, rows)};
        }
    }
    std::string text;
    for (auto const& sweep : order) {
        text += "sweep " + sweep + ": rows left out:";
        char const* separator = " ";
        for (auto const& [source, span] : sweeps[sweep]) {
            text += separator +
                    (span.least == span.most
                         ? fmt::format("{} of {}", span.least, source)
                         : fmt::format("{} to {} of {}, by cell", span.least, span.most, source));
            separator = "; ";
        }
        text += '\n';
    }
    return text;
}

} // namespace crx
