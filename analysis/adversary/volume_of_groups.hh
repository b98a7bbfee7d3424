#pragma once

#include "analysis/adversary/grouped_run.hh"

namespace crx {

/// The volume bound (docs/model.md#volume-bound) from counts of equal requests: the same integer as
/// from the requests one by one, at a cost that does not grow with the counts. Contract: all
/// arrivals at 0.
Unsigned128 volume_of_groups(std::vector<RequestGroup> const& groups, Tokens memory);

} // namespace crx
