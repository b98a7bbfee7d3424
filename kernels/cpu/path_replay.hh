#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/engines/iterations/iterate.hh"

#include <vector>

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

} // namespace crx
