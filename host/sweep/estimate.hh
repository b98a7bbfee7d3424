#pragma once

#include "host/experiment/experiment.hh"

#include <functional>

namespace crx {

/// What a sweep is made of and about what it will cost, to read: cells, instances, seconds of each
/// policy and baseline, memory, bytes of the store. Runs a few instances on the CPU with one
/// thread, for about twenty seconds at most, and writes nothing. `cells` is grid_cells of the plan.
/// `stop_asked` true: ends with what is measured by then.
std::string plan_text(Experiment const& experiment, std::vector<PlannedCell> const& cells,
                      int threads, std::function<bool()> const& stop_asked);

} // namespace crx
