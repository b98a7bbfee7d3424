#pragma once

#include "analysis/baseline/search/local_search.hh"

#include <optional>

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
