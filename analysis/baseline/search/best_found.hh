#pragma once

#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/search/local_search.hh"
#include "analysis/baseline/time_limit.hh"

#include <optional>

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

namespace crx::baseline {

/// The baseline `best-found` (docs/model.md#baselines): a schedule, so an upper bound on the
/// optimum. It is found by one of two searches:
/// - over orders with deliberate waits (kernels/cpu/order_search.hh), where search_refusal is
/// empty: up to 64
///   requests. Runs grow from 20,000 schedules to 12 n^3 and then repeat with other random words;
///   what each ends with is improved by give_way;
/// - local_search, whose requests may overtake, for the others.
/// The result is never worse than mc-sf, and has passed schedule_fault. It
/// repeats exactly where the time limit is not reached. Empty where the instance is beyond both:
/// search_refusal, local_search_fits. Contract: every request fits, unit clock, n
/// >= 1.
std::optional<FoundSchedule> best_found(OwnedInstance const& instance, SearchLimits const& limits);

} // namespace crx::baseline
