#pragma once

#include "analysis/baseline/hindsight.hh"

namespace crx {

/// Adds the schedule of the prefix rule in an order of the user's own to those known, which may
/// lower the upper bound. Throws InputError "PLACE: why" where there is none.
void add_own_schedule(baseline::Hindsight& result, OwnedInstance const& instance,
                      std::string const& id, std::vector<std::size_t> const& order,
                      std::string const& place);

} // namespace crx
