#pragma once

#include "analysis/baseline/request_groups.hh"
#include "kernels/model/requests.cuh"

#include <string>

namespace crx::baseline {

/// Columns times tokens that a time-indexed program holds. Above the most, it is not tried.
inline constexpr double most_program_entries = 3e7;
double program_entries(std::vector<RequestGroup> const& groups, Rounds horizon);

/// Above so many requests the optimum is not searched for.
inline constexpr std::size_t most_searched = 64;

/// Why a sweep will find no value of a baseline on this instance, in words: what needs only a
/// moment to know, before hours are spent. Empty where a value is likely.
///
/// The size of the program is that by the schedule of mc-sf; the schedule that `hindsight` finds in
/// the end may be somewhat shorter. Contract: unit clock, at least one request, each fits.
std::string why_out_of_reach(BaselineKind kind, OwnedInstance const& instance);

} // namespace crx::baseline
