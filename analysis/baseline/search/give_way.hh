#pragma once

#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/time_limit.hh"

namespace crx::baseline {

/// The schedule that follows where, as long as that lowers TEL, one request starts up to
/// `most_delay` rounds later, another then starts earlier, round by round while it fits, and after
/// it all others do, in the order of their starts. The search over orders rarely finds these:
/// the two move by as much as each other, and only what follows a third one's start tells
/// (docs/decisions/043-baselines.md).
///
/// Never worse than `starts`, which come back as they are where the schedule is longer than
/// most_given_rounds from the first arrival on. About most_delay n^2 schedules for each that is
/// better, most of which end with the first look at memory. Contract: `starts` passes
/// schedule_fault.
Starts give_way(OwnedInstance const& instance, Starts starts, TimeLimit const& limit = 1e9,
                Rounds most_delay = 8);

inline constexpr Rounds most_given_rounds = 1 << 16;

} // namespace crx::baseline
