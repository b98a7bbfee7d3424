#pragma once

#include "host/store/store_header.hh"

namespace crx {

/// What of an experiment is more than new policies, baselines, sweeps, values of axes and panels
/// beside those of a store, a line each as describe_difference says it; empty: nothing, so that the
/// store can be extended to it.
std::string difference_beyond_extension(StoreHeader const& there, StoreHeader const& here);

/// Sweeps and values of axes that are new: "sweep b", "alpha = 0.5, 0.7".
std::vector<std::string> new_points(StoreHeader const& there, StoreHeader const& here);

/// What is known of a cell's identity in the larger experiment by a store that has only these
/// policies and baselines: equal to the cell's identity there, unless something else differs.
std::string identity_as_before(std::string const& identity, StoreHeader const& here,
                               std::string const& identity_there, StoreHeader const& there);

} // namespace crx
