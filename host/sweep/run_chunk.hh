#pragma once

#include "host/iteration/iteration_setting.hh"
#include "host/iteration/path_sums.hh"
#include "kernels/engines/cell.hh"

#include <functional>

namespace crx {

/// Executes a range of a cell's instances, or as many of its first ones as stop_condition allows:
/// launch_host, launch_in_parts of launch_device, or a test's.
using Launch = std::function<Launched(Cell const&, InstanceRange, StopCondition const&)>;

/// The same for paths of the iteration model, all policies of a cell.
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

/// Runs a chunk of the cell, or of `paths` where that is not null. Throws where a launch fails, or
/// leaves out an instance.
ChunkResult run_chunk(Launch const& launch, LaunchPaths const& launch_paths, Cell const* cell,
                      IterationSetting const* paths, InstanceRange range,
                      StopCondition const& stop_condition);

} // namespace crx
