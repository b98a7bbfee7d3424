#pragma once

#include "host/experiment/iteration_setting.hh"
#include "host/experiment/paths.hh"
#include "host/sweep/plan.hh"
#include "kernels/engines/cell.hh"

#include <functional>
#include <string>

namespace crx {

/// Executes a range of a cell's instances, or as many of its first ones as stop_condition allows:
/// launch_host, launch_in_parts of launch_device, or a test's.
using Launch = std::function<Launched(Cell const&, InstanceRange, StopCondition const&)>;

/// Executes paths of the iteration model, of all policies of a cell.
using LaunchPaths =
    std::function<PathChunk(IterationSetting const&, InstanceRange, StopCondition const&)>;

/// Sums of a chunk of either model.
struct ChunkResult
{
    Tally tally;
    PathSums paths;
    std::int64_t count = 0;                ///< instances: the first ones of the chunk
    std::vector<std::string> engines = {}; ///< that ran each policy (kernels/engines/cell.hh)
};

/// Where a sweep's chunks run.
struct Backend
{
    std::string name;         ///< "cpu" or "cuda"
    std::string device;       ///< of the accelerator; empty on the CPU
    std::string text;         ///< what was chosen and why, for the user
    Launch launch;            ///< of the round model
    LaunchPaths launch_paths; ///< of the iteration model
    int chunks_at_once;       ///< as in SweepSettings
    std::int64_t least_chunk; ///< likewise
};

/// Runs on the CUDA device of this number. Throws InputError where `backend` is cpu or the device
/// cannot be used.
void choose_device_for(std::string const& backend, int number);

/// Chooses the device of a process that shares its machine's devices with others: number `place`
/// among them takes device `place` modulo the number of devices.
void choose_device_of_place(int place);

/// `wanted` is auto, cuda or cpu; `cpu_only` says what of the experiment only the CPU can do, as
/// "policy x orders requests beforehand"; empty: nothing. Throws InputError where cuda is wanted
/// and there is none, or something that it cannot do.
Backend choose_backend(std::string const& wanted, std::string const& cpu_only = {},
                       Model model = Model::rounds);

/// Runs a chunk of the cell, or of `paths` where that is not null. Throws where a launch fails, or
/// leaves out an instance.
ChunkResult run_chunk(Launch const& launch, LaunchPaths const& launch_paths, Cell const* cell,
                      IterationSetting const* paths, InstanceRange range,
                      StopCondition const& stop_condition);

/// What of the experiment only the CPU can do, for choose_backend; empty: nothing.
std::string only_on_cpu(Experiment const& experiment, Plan const& plan);

} // namespace crx
