#pragma once

#include "host/experiment/iteration_setting.hh"
#include "host/experiment/paths.hh"
#include "host/sweep/plan.hh"
#include "kernels/engines/cell.hh"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace crx {

/// Executes parts, or as much of them as stop_condition allows: launch_host, launch_device, or a
/// test's.
using Launch = std::function<LaunchedParts(std::span<LaunchPart const>, StopCondition const&)>;

/// Executes paths of the iteration model, of all policies of a cell.
using LaunchPaths =
    std::function<PathChunk(IterationSetting const&, InstanceRange, StopCondition const&)>;

/// What runs chunks of a sweep, perhaps beside others: the cores, or a GPU.
struct Executor
{
    Launch launch;            ///< of the round model
    LaunchPaths launch_paths; ///< of the iteration model
    int at_once = 0;          ///< calls at one time; 0: one a thread
    /// Instances of a call, at least, where there are as many to do; 0: each call is a chunk of one
    /// cell, of the length that chunks have.
    std::int64_t least = 0;
    std::size_t most_cells = 1;                       ///< of a call
    std::function<bool(Cell const&)> takes = nullptr; ///< null: every cell
};

/// Where a sweep's chunks run.
struct Backend
{
    std::string name;   ///< "cpu" or "cuda"
    std::string device; ///< of the accelerator; empty on the CPU
    std::string text;   ///< what was chosen and why, for the user
    std::vector<Executor> executors;
};

/// What is known of how long instances take on the cores and on a GPU that share a sweep. Times are
/// seconds; 0: not known yet.
struct SharedTimes
{
    double core = 0;         ///< of an instance on one core
    double gpu_least = 0;    ///< of the GPU's shortest call
    double gpu_instance = 0; ///< of an instance in its last call
};

/// How many of `left` instances a GPU's next call takes while the cores run the others, so that
/// both end at the same time; 0: the cores alone end sooner, or nothing is known of them. A GPU's
/// thread is taken to be 50 times slower than a core until it was measured: what few instances
/// take.
std::int64_t share_of_gpu(SharedTimes const& times, std::int64_t left, int threads);

/// Runs on the CUDA device of this number. Throws InputError where `backend` is cpu or the device
/// cannot be used.
void choose_device_for(std::string const& backend, int number);

/// Chooses the device of a process that shares its machine's devices with others: number `place`
/// among them takes device `place` modulo the number of devices.
void choose_device_of_place(int place);

/// `wanted` is auto, cuda or cpu: auto takes a GPU and the cores where there is a GPU. `cpu_only`
/// says what of the experiment only the CPU can do, as "policy x orders requests beforehand";
/// empty: nothing. Throws InputError where cuda is wanted and there is none, or something that it
/// cannot do.
Backend choose_backend(std::string const& wanted, std::string const& cpu_only = {},
                       Model model = Model::rounds);

/// What of the experiment only the CPU can do, for choose_backend; empty: nothing.
std::string only_on_cpu(Experiment const& experiment, Plan const& plan);

} // namespace crx
