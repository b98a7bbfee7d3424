#pragma once

#include "kernels/lockstep/lanes.hh"
#include "kernels/lockstep/merge_exchange.hh"

#include <span>

namespace crx::lockstep {

/// Sorts rows so that each lane ascends, by merge_exchange() of their number.
void sort_lanes(std::span<Exchange const> exchanges, Row* rows);

} // namespace crx::lockstep
