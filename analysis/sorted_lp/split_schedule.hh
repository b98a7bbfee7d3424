#pragma once

#include "kernels/cpu/single.hh"

#include <vector>

namespace crx::sorted_lp {

/// A solution of the LP relaxation of JAILLET (1)-(4): each request in `pieces` equal parts, each
/// part with its own start.
struct SplitSchedule
{
    double value = 0;               ///< sum of mean start + o - a
    std::vector<double> mean_start; ///< of each request
};

/// List scheduling of the parts: the requests in the given order, each part as early as it fits
/// beside those before it. A part holds (s + j) / pieces, so in units of 1 / pieces these are whole
/// requests in a memory of pieces M, and memory is kept exactly at every time. More pieces pack
/// better. Contract: pieces >= 1, every request fits, `order` a permutation.
SplitSchedule split_schedule(OwnedInstance const& instance, std::vector<std::size_t> const& order,
                             std::int64_t pieces);

} // namespace crx::sorted_lp
