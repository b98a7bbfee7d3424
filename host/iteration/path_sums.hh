#pragma once

#include "kernels/engines/iterations/iterate.hh"

namespace crx {

/// Sums of one path of the iteration model under one policy.
struct PathRecord
{
    std::int64_t path = 0;
    std::vector<IterationTally> tallies;       ///< one a horizon
    std::vector<std::vector<TypeTally>> types; ///< types[c][j] at horizon c; may be empty
    bool operator==(PathRecord const&) const = default;
};

/// Of every policy, paths in ascending order. They are kept one by one and not added up, because
/// intervals and exponents come from how the paths differ (docs/decisions/005).
using PathSums = std::vector<std::vector<PathRecord>>;

/// The first `count` paths of a range.
struct PathChunk
{
    PathSums sums;
    std::int64_t count = 0;
};

} // namespace crx
