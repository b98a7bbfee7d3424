#pragma once

#include "host/experiment/iteration_setting.hh"
#include "host/experiment/measure_plan.hh"
#include "host/experiment/sweep_plan.hh"

namespace crx {

/// A sweep of the iteration model, with its document and the variables that hold in it.
struct IterationSweep
{
    Sweep sweep;
    AxisPlaces axis_places;
    ConfigValue document; ///< with the values of [sweep.set] in place
    std::vector<std::pair<std::string, Expression>> variables;
    std::vector<double> horizons; ///< of every cell, seconds
    std::size_t types = 0;        ///< most of a cell, where sums of each are kept; else 0
};

/// What the cells of an experiment of the iteration model are made of.
struct IterationPlan
{
    std::shared_ptr<TraceFiles> traces;
    std::uint64_t seed = 0;
    MeasurePlan measures;
    std::vector<PolicyEntry> policies;
    std::vector<IterationSweep> sweeps;
};

/// Reads [measures], [[policy]] and [[sweep]] of a document and checks every cell of every grid;
/// relative paths of traces start at `folder`. Throws InputError.
IterationPlan read_iteration_plan(ConfigReader& top, std::filesystem::path const& folder,
                                  std::uint64_t seed);

/// The cell at a point of a sweep. Throws InputError if it is not valid.
PlannedCell plan_iteration_cell(IterationPlan const& plan, IterationSweep const& sweep,
                                Coordinates const& coordinates);

/// Calls visit(value, key) for each place of a document where a number may be an expression.
void for_each_number(ConfigValue& document,
                     std::function<void(ConfigValue&, std::string const& key)> const& visit);

} // namespace crx
