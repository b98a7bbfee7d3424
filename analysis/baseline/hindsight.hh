#pragma once

#include "analysis/baseline/schedule.hh"

#include <optional>
#include <string>
#include <vector>

namespace crx::baseline {

struct HindsightLimits
{
    double seconds = 10;                    ///< for everything together
    std::uint64_t seed = 1;                 ///< of the local search
    std::int64_t evaluations_a_request = 0; ///< of the local search; 0: chosen by n and seconds
};

/// A lower bound on OPT. `value` is empty where the bound does not apply or was out of reach;
/// `remark` says why, or what it cost.
struct LowerBound
{
    std::string id;
    std::optional<Rounds> value;
    std::string remark;
};

/// A schedule that schedule_fault has passed.
struct NamedSchedule
{
    std::string id;
    Starts starts;
    Rounds total_latency = 0;
};

/// All baselines of one instance: lower <= OPT <= upper, equal if the optimum is proven.
struct Hindsight
{
    std::vector<LowerBound> bounds;
    std::vector<NamedSchedule> schedules;
    Rounds lower = 0, upper = 0;
    bool optimal() const { return lower == upper; }
    NamedSchedule const& best() const;
};

/// Computes volume, dual, peaks, lp, clique-lp; the schedules of mc-sf (h-sf) and mc-sf-total,
/// best-found by local search; and up to 64 requests searches for the optimum (branch_and_bound)
/// while time is left. With time to spare the result does not depend on the machine's speed.
/// Contract: at least one request, each fits in memory.
Hindsight hindsight(OwnedInstance const& instance, HindsightLimits const& limits);

} // namespace crx::baseline
