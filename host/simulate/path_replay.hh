#pragma once

#include "host/experiment/paths.hh"
#include "kernels/cpu/single.hh"

#include <nlohmann/json.hpp>
#include <string>

namespace crx {

/// A path run again, with what every iteration held.
struct PathReplay
{
    std::vector<IterationTally> tallies; ///< one a horizon, as the sweep kept them
    /// A point at the start of each iteration: memory held, prompts in its batch, and prompts in
    /// the system outside it.
    std::vector<TimelinePoint> timeline;
};

/// A function of the cell and the path's number.
PathReplay replay_path(IterationCell const& cell, std::int64_t path);

/// A path run again, as `crx replay --json` prints it.
nlohmann::ordered_json path_as_json(std::string const& label, std::int64_t path,
                                    PathReplay const& run);

} // namespace crx
