#pragma once

#include "host/sweep/backend.hh"

namespace crx {

/// Where the paths of a sweep of the iteration model run; every backend gives the same integers.
///
/// `wanted` is cpu, cuda or auto: cuda where there is a device. Sums of each type (`by_type`) are
/// made on the CPU alone. Throws ConfigError where cuda is wanted and cannot be had.
Backend choose_path_backend(std::string const& wanted, bool by_type = false);

/// Paths of all policies on all threads that oneTBB has.
PathChunk launch_paths_host(IterationSetting const& setting, InstanceRange range,
                            StopCondition const& stop_condition);

} // namespace crx
