#pragma once

#include "host/experiment/experiment.hh"
#include "host/experiment/measure_plan.hh"
#include "host/experiment/own_order.hh"
#include "host/experiment/plan_cell.hh"
#include "host/experiment/policy_list.hh"
#include "host/experiment/workload_spec.hh"

namespace crx {

struct IterationPlan;

/// A sweep with the workload and the variables that hold in it.
struct SweepPlan
{
    Sweep sweep;
    WorkloadSpec workload;
    std::vector<std::pair<std::string, Expression>> variables;
    AxisPlaces axis_places;
};

/// What make_cell needs beside the sweep.
struct Experiment::Detail
{
    std::string name;
    std::uint64_t seed = 0;
    std::vector<PolicyPlan> policies;
    BaselinePlan baseline_plan;
    EngineChoice engine;
    MeasurePlan measures;
    OwnOrders own_orders;          ///< of those policies own-order that this program has
    std::vector<SweepPlan> sweeps; ///< of the round model
    std::shared_ptr<IterationPlan const> iterations; ///< null in the round model

    SweepPlan const* find(std::string const& sweep) const;
};

/// What a sweep of either model has.
struct SweepFrame
{
    Sweep sweep;
    AxisPlaces axis_places;
    ConfigValue document; ///< with the values of [sweep.set] in place
};

/// Point `number` of a sweep's grid, the last axis running fastest, and how many there are.
Coordinates point_of(Sweep const& sweep, std::size_t number);
std::size_t points_of(Sweep const& sweep);

/// Name, axes and set of one [[sweep]], which is `key`. Throws InputError.
SweepFrame read_sweep_frame(ConfigValue const& document, ConfigReader& reader,
                            std::string const& key);
/// [variables] of a document.
std::vector<std::pair<std::string, Expression>> read_variables(ConfigValue const& document);
/// Names in the expressions of a sweep, each with one that it stands in.
using UsedNames = std::map<std::string, Expression>;
/// Refuses an axis of sweep `key` that no expression names; where one names something that is
/// neither an axis nor in `others` and is nearly the axis, that expression is refused.
void check_axes_used(AxisPlaces const& axes, UsedNames const& used,
                     std::vector<std::string> const& others, std::string const& key);
/// Refuses names that two sweeps have, and more cells than a plan may have.
void check_sweep_sizes(std::vector<ConfigValue> const& list, std::vector<Sweep> const& sweeps);

/// Throws InputError for what is wrong in [workload] under a sweep's axes and [sweep.set], which
/// can be told without policies and baselines.
void check_workloads(ConfigReader& top, TraceFiles& traces);
/// Reads all [[sweep]] of a document. Throws InputError.
std::vector<SweepPlan> read_sweeps(ConfigReader& top, std::vector<PolicyPlan> const& policies,
                                   std::vector<std::string> const& baselines,
                                   std::optional<CapacityPlan> const& capacity, TraceFiles& traces);

/// How far plan_cell goes: only the checks, or the tables that the kernels read as well.
enum class CellWork
{
    check,
    tabulate
};

/// The cell at a point of a sweep. Throws ConfigError if it is not valid, naming the coordinates.
PlannedCell plan_cell(Experiment::Detail const& experiment, SweepPlan const& plan,
                      Coordinates const& coordinates, CellWork work);

} // namespace crx
