#pragma once

#include "analysis/baseline/search/local_search.hh"

#include <optional>

namespace crx::baseline {

/// The baseline `best-found` (docs/model.md#baselines): a schedule, so an upper bound on the
/// optimum. Two searches, one after the other:
/// - over orders in which each request starts in the first round from its predecessor's on in which
///   it fits (kernels/search), where search_refusal is empty: up to 64 requests, all at 0. It has
///   three quarters of the schedules and of the time, in runs that grow, and begins with mc-sf;
/// - local_search, whose requests may overtake and be delayed on purpose, from that schedule, or
///   where there is none from those of its own.
/// The result is never worse than mc-sf or than either's own; it has passed schedule_fault. It
/// repeats exactly where the time limit is not reached. limits.known is a schedule to be improved
/// on, if there is one. Empty where the instance is beyond both: local_search_fits in 2^29 bytes,
/// search_refusal. Contract: every request fits, unit clock, n >= 1.
std::optional<FoundSchedule> best_found(OwnedInstance const& instance, SearchLimits const& limits);

} // namespace crx::baseline
