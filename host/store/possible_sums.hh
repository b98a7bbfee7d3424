#pragma once

#include "host/iteration/path_sums.hh"
#include "kernels/model/instance_range.hh"
#include "kernels/model/tally/tally.cuh"

namespace crx {

// Whether sums read from a store can be sums over that many instances. A checksum says that they
// are those that were written; this, that it makes sense to go on with them: no count is negative,
// counts add up, no variance is negative, histograms count what was divided. Both throw
// std::invalid_argument, saying what does not fit.

void expect_possible(Tally const& tally, InstanceRange range);
void expect_possible(PathSums const& sums, InstanceRange range);

} // namespace crx
