#pragma once

#include "kernels/backends/cell_engines.hh"

namespace crx {

/// What the engine `cohorts` takes on a GPU.
struct CohortMemory
{
    std::size_t bytes = 0; ///< of an instance, the volume bound's among them
    /// Another engine can run every policy, and `cohorts` then runs some instances, to be compared.
    bool compared_only = false;
};

/// `engines`: those of the cell on a GPU. Contract: any_by_cohorts(cell).
CohortMemory cohort_memory(Cell const& cell, CellEngines const& engines);

/// How many instances a GPU holds at a time.
struct CardSlots
{
    std::int64_t slots = 0;   ///< their requests, counts and results; at most as many as are wanted
    std::int64_t engines = 0; ///< of these, the arrays of engines; 1 to slots. 0: no instance fits
};

/// `slot` and `engine`: bytes of each. most_engines: no more instances need arrays at a time; if
/// these are fewer than all, arrays take half of the memory at most. As many instances are held as
/// with arrays for all, or more. Contract: all numbers above 0, `engine` not below.
CardSlots card_slots(std::size_t bytes, std::int64_t wanted, std::size_t slot, std::size_t engine,
                     std::int64_t most_engines);

} // namespace crx
