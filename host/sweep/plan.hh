#pragma once

#include "host/experiment/experiment.hh"

#include <functional>

namespace crx {

/// What the runner needs of an experiment.
struct Plan
{
    std::vector<Sweep> sweeps;
    Model model = Model::rounds;
    StopRule stop;
    std::vector<BaselineKind> baselines; ///< those asked for
    std::function<std::vector<Coordinates>(std::string const& sweep)> grid;
    /// Throws ConfigError where there is no valid cell.
    std::function<PlannedCell(std::string const& sweep, Coordinates const&)> make_cell;
    /// Makes what computes these baselines past engine_baselines, with the experiment's effort.
    std::function<std::shared_ptr<HostBaselines const>(std::vector<BaselineKind> const&)>
        host_baselines;
};

Plan plan_of(Experiment const& experiment);

/// Every cell of every grid in plan order, without workloads (they are made again when run). Throws
/// ConfigError for a point without a valid cell.
std::vector<PlannedCell> grid_cells(Plan const& plan);

/// One line a sweep for the rows of traces that can never fit and were left out; empty if none.
std::string left_out_text(std::vector<PlannedCell> const& cells);

} // namespace crx
