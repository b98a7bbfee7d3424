#pragma once

#include "host/experiment/experiment.hh"
#include "kernels/model/requests.cuh"

#include <vector>

namespace crx {

/// Instances of a cell that are to be run.
struct CellRanges
{
    PlannedCell cell;                  ///< without workload
    std::int64_t index = 0;            ///< of the cell in a store of the whole experiment
    std::vector<InstanceRange> ranges; ///< ascending, disjoint, not empty
};

} // namespace crx
