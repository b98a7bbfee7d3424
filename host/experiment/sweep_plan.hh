#pragma once

#include "host/experiment/baseline_plan.hh"
#include "host/experiment/engine_choice.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/policy_list.hh"
#include "host/experiment/workload_spec.hh"

namespace crx {

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
    std::vector<SweepPlan> sweeps;

    SweepPlan const* find(std::string const& sweep) const;
};

/// Reads all [[sweep]] of a document. Throws InputError.
std::vector<SweepPlan> read_sweeps(ConfigReader& top, std::vector<PolicyPlan> const& policies,
                                   std::vector<std::string> const& baselines, TraceFiles& traces);

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
