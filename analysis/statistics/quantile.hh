#pragma once

#include "kernels/tally/tally.cuh"

#include <optional>

namespace crx {

/// The ceil(p count)-th smallest ratio, read from a histogram: the middle of its bin, moved into
/// [smallest, largest], so that it is exact where all ratios are equal.
///
/// Error: at most half a bin, 1/2048 of the value. None for an empty histogram.
/// Contract: 0 < p <= 1; the histogram's ratios lie in [smallest, largest].
std::optional<double> quantile(Histogram const& histogram, double p, FixedRatio smallest,
                               FixedRatio largest);

} // namespace crx
