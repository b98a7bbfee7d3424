#pragma once

#include "analysis/fluid/heavy_traffic.hh"
#include "kernels/engines/iterations/iteration_model.cuh"

namespace crx::fluid {

/// One type up to one horizon, over all paths.
struct TypePoint
{
    std::int64_t arrivals = 0, completed = 0, first_tokens = 0; ///< sums over paths
    PathMean latency, first_token; ///< seconds, a prompt of the type; NaN where none arrived
};

/// Means over all prompts of the type on all paths, those of min(event, horizon) - arrival.
///
/// The mean is the ratio of two means over paths, as paths have unlike numbers of the type's
/// prompts, or none: ratio_over_paths says what half-width that gives, and where none.
/// `paths[p]` is the type's tally on path p. Contract: at least one path, 0 < confidence < 1,
/// `until` of all.
TypePoint type_point(std::vector<TypeTally> const& paths, Nanoseconds until, double confidence);

} // namespace crx::fluid
