#pragma once

#include "kernels/engines/cell.hh"

#include <vector>

namespace crx {

/// Instances of [0, target) that lie in none of the ranges, ascending and not empty. The ranges are
/// disjoint and ascending; some may reach past the target.
std::vector<InstanceRange> uncovered(std::vector<InstanceRange> const& ranges, std::int64_t target);

/// Instances of `ranges` that lie in none of `done`; both are disjoint and ascend.
std::vector<InstanceRange> without(std::vector<InstanceRange> const& ranges,
                                   std::vector<InstanceRange> const& done);

/// Instances in disjoint ranges.
std::int64_t total(std::vector<InstanceRange> const& ranges);

} // namespace crx
