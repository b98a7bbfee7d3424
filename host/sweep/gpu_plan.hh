#pragma once

#include "host/sweep/backend.hh"

#include <functional>
#include <span>
#include <string>

namespace crx {

/// What is known of a sweep before it runs, for gpu_plan_text.
struct SweepEstimate
{
    double core_seconds = 0; ///< of an instance on one core; 0: not known
    double instances = 0;    ///< of all cells
    int threads = 1;
};

/// Lines of a plan: where the sweep would run and, where a GPU takes part, how long it takes and
/// what share of the instances it gets. Runs instances of `cells`, which are made, on the GPU: for
/// about four seconds at most. Where a call fails the line says why.
std::string gpu_plan_text(Backend const& backend, std::span<PlannedCell const> cells,
                          SweepEstimate const& sweep, std::int64_t instances_a_cell,
                          std::function<bool()> const& stop_asked);

} // namespace crx
