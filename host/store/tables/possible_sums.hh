#pragma once

#include "host/experiment/paths.hh"
#include "host/store/extension/holdings.hh"
#include "kernels/model/requests.cuh"
#include "kernels/model/tally.cuh"

namespace crx {

// Whether sums read from a store can be sums over that many instances. A checksum says that they
// are those that were written; this, that it makes sense to go on with them: no count is negative,
// counts add up, no variance is negative, histograms count what was divided. `holdings` says which
// sums there should be and no others, over which of `baselines`. Both throw std::invalid_argument,
// saying what does not fit.

void expect_possible(Tally const& tally, InstanceRange range, Holdings const& holdings,
                     std::span<std::string const> baselines);
void expect_possible(PathSums const& sums, InstanceRange range, Holdings const& holdings);

} // namespace crx
