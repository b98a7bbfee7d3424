#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/engines/iterations/iterate.hh"
#include "kernels/engines/iterations/request_log.hh"

#include <vector>

namespace crx {

/// A path run again, with what every iteration held.
struct PathReplay
{
    std::vector<IterationTally> tallies; ///< one a horizon, as the sweep kept them
    /// A point at the start of each iteration: memory held, prompts in its batch, and prompts in
    /// the system outside it.
    std::vector<TimelinePoint> timeline;
    std::vector<PromptRecord> prompts;  ///< in order of arrival, as they are at the last horizon
    std::vector<MeasureGroup> measures; ///< one a horizon: memory, and what the cell asks for
};

/// Which parts of a path are written down.
enum class PathDetail
{
    iterations, ///< tallies and timeline
    prompts     ///< prompts and measures, too: policies tell all prompts apart
};

/// A function of the cell and the path's number.
PathReplay replay_path(IterationCell const& cell, std::int64_t path,
                       PathDetail detail = PathDetail::iterations);

} // namespace crx
