#pragma once

#include "analysis/statistics/estimate.hh"
#include "host/experiment/measure_plan.hh"
#include "host/results/measure.hh"

namespace crx {

/// The statistic that a measure of requests is. Contract: is_of_requests(what).
RequestStatistic statistic_of(Measure what);

/// Its value over the requests of all instances of a cell that finished, or of all paths up to the
/// cell's horizon, with an interval by
/// leaving out one of measure_groups groups of instances at a time (delete-a-group jackknife, Kott
/// 2001), as requests of one instance depend on each other; without one for a single group. None
/// where the cell does not keep it. What cannot be below 0 or above 1 has an interval that is not.
///
/// Percentiles are by nearest rank in a histogram whose bins are at most 1/1024 of their value
/// wide; the middle of the bin is off by at most 1/2048 of the value.
std::optional<Measured> measure_requests(CellResult const& cell, std::size_t policy,
                                         RequestStatistic const& wanted, double confidence);

/// One policy's minus another's in a cell. Both meet the same instances, so a group is left out of
/// both at a time.
std::optional<Estimate> request_difference(CellResult const& cell, std::size_t one,
                                           std::size_t other, RequestStatistic const& wanted,
                                           double confidence);

/// Its unit: that of time, empty for shares and slowdowns, .. a second or round.
std::string request_unit(RequestStatistic const& wanted, std::string const& time);

/// What an axis says of it; `time` is the unit of time.
std::string request_label(RequestStatistic const& wanted, std::string const& time);

} // namespace crx
