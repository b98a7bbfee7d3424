#pragma once

#include "host/experiment/experiment.hh"
#include "host/sweep/backend.hh"
#include "kernels/base/seconds_since.hh"
#include "kernels/engines/cell.hh"

#include <functional>
#include <string>
#include <vector>

namespace crx {

/// Seconds of an instance, or the least that they are.
struct Cost
{
    double seconds = 0;
    bool at_least = false; ///< not one instance was finished in time
    Tally tally = {};      ///< of the instances that were; empty in the iteration model
    std::int64_t instances = 0;
    std::vector<std::string> engines = {}; ///< that ran each policy; empty: not told
};

/// Runs the first instances, or as many as stop_condition allows.
using FirstInstances = std::function<Launched(InstanceRange, StopCondition const&)>;

/// Runs the first 1, 4, 16, .. up to `target` instances until that takes long enough to be
/// measured, for about `most_seconds` at most. What a longer attempt does not finish changes
/// nothing of what a shorter one found. Seconds are those of the processors that this process
/// takes, or by the clock where it `waits` for another program.
Cost measure_cost(FirstInstances const& run, std::int64_t target, double most_seconds,
                  std::function<bool()> const& stop_asked, bool waits = false);

/// What a sweep is made of and about what it will cost, to read: cells, instances, seconds of each
/// policy and baseline, what a GPU does of it, memory, bytes of the store. Runs a few instances on
/// the CPU with one thread, for about twenty seconds at most, and on the backend's GPU
/// (gpu_plan.hh), and writes nothing. `cells` is grid_cells of the plan. `stop_asked` true: ends
/// with what is measured by then.
std::string plan_text(Experiment const& experiment, std::vector<PlannedCell> const& cells,
                      int threads, Backend const& backend, std::function<bool()> const& stop_asked);

} // namespace crx
