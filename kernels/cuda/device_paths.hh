#pragma once

#include "kernels/engines/iterations/iterate.hh"

namespace crx {

/// launch_paths on the current CUDA device, a thread a path: the same integers.
///
/// A path's state lies in device memory between launches, which last about a fifth of a second
/// each, so that stop_condition is asked that often. Throws std::runtime_error where there is no
/// device, the program was built without CUDA, or the device has no memory for one path.
std::vector<std::vector<IterationTally>>
launch_paths_device(IterationCell const& cell, std::int64_t first, std::int64_t count,
                    StopCondition const& stop_condition = {});

} // namespace crx
