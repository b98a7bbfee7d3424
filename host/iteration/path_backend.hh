#pragma once

#include "kernels/engines/iterations/iterate.hh"

#include <functional>
#include <string>

namespace crx {

/// Where the paths of `crx iterate` run. Every backend gives the same integers.
struct PathBackend
{
    using Launch = std::function<std::vector<std::vector<IterationTally>>(
        IterationCell const&, std::int64_t first, std::int64_t count, StopCondition const&)>;

    std::string name;               ///< "cpu" or "cuda"
    std::string text;               ///< what was chosen and why, for the user
    Launch launch;                  ///< as launch_paths
    std::int64_t paths_at_once = 1; ///< handed to one launch and kept together
};

/// All processors that oneTBB has.
PathBackend cpu_path_backend(std::string const& why = "");

/// `wanted` is cpu, cuda or auto: cuda where there is a device. Tallies by type are made on the CPU
/// alone. Throws ConfigError where cuda is wanted and cannot be had.
PathBackend choose_path_backend(std::string const& wanted, bool by_type = false);

} // namespace crx
