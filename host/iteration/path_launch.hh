#pragma once

#include "host/iteration/iteration_setting.hh"
#include "host/iteration/path_sums.hh"

namespace crx {

// Paths of all policies of a setting, or as many of the first ones as stop_condition allows: the
// same integers wherever they run.

/// On all threads that oneTBB has.
PathChunk launch_paths_host(IterationSetting const& setting, InstanceRange range,
                            StopCondition const& stop_condition);
/// On the current CUDA device. Contract: no sums of each type are asked for.
PathChunk launch_paths_gpu(IterationSetting const& setting, InstanceRange range,
                           StopCondition const& stop_condition);

} // namespace crx
