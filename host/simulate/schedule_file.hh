#pragma once

#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/schedule.hh"
#include "host/input/instance.hh"

namespace crx {

/// A schedule as CSV: id, start and completion of each request, in the instance's order.
std::string schedule_as_csv(std::vector<Request> const& requests, OwnedInstance const& instance,
                            baseline::Starts const& starts);

/// Reads such a file for an instance; a completion, where given, must be start + output. Throws
/// InputError "FILE:LINE: why" for an unknown id, a request named twice or left out, or a start
/// that is no whole number >= 0. Whether it is a schedule is schedule_fault's to say.
baseline::Starts read_schedule(std::filesystem::path const& file,
                               std::vector<Request> const& requests);

/// Adds the schedule of the prefix rule in an order of the user's own to those known, which may
/// lower the upper bound. Throws InputError "PLACE: why" where there is none.
void add_own_schedule(baseline::Hindsight& result, OwnedInstance const& instance,
                      std::string const& id, std::vector<std::size_t> const& order,
                      std::string const& place);

} // namespace crx
