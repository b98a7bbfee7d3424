#pragma once

#include "kernels/cpu/single.hh"

#include <optional>
#include <string>
#include <vector>

namespace crx::baseline {

/// A schedule that cancels nothing: the round in which each request starts, in the instance's
/// order.
using Starts = std::vector<Rounds>;

/// TEL of a schedule: sum of start + o - a (docs/model.md#round-model). Contract: one start a
/// request.
Rounds total_latency(OwnedInstance const& instance, Starts const& starts);

/// Why these starts are no schedule of the instance, or nothing if they are one: a request that
/// starts before it arrives, or a time at which more than M is held, the first of them. Shares no
/// code with what searches for schedules: memory is looked at in each completion's round, where it
/// peaks, because every active request only grows until then. Contract: o >= 1. Cost: O(n log n).
std::optional<std::string> schedule_fault(OwnedInstance const& instance, Starts const& starts);

} // namespace crx::baseline
