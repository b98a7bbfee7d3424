#pragma once

#include "kernels/engines/list_schedule/batch/lanes.hh"
#include "kernels/engines/list_schedule/batch/merge_exchange.hh"

#include <span>

namespace crx::mc_sf_batch {

/// Sorts rows so that each lane ascends, by merge_exchange() of their number.
void sort_lanes(std::span<Exchange const> exchanges, Row* rows);

} // namespace crx::mc_sf_batch
