#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/policy_spec.cuh"

#include <string>
#include <vector>

namespace crx {

/// Equal requests that arrive together and move as a count.
struct RequestGroup
{
    Rounds arrival = 0;
    std::int32_t prompt = 0, output = 1, lower = 1, upper = 1;
    std::int64_t count = 0;
};

/// So many of a group started in one round, and as many again in later ones: `times` in all,
/// `every` rounds apart.
struct GroupStart
{
    std::size_t group = 0;
    Rounds start = 0;
    std::int64_t count = 0;
    std::int64_t times = 1;
    Rounds every = 0;
};

/// What a run comes to. Counts reach 10^12, so totals need more than the 64 bits of an Outcome:
/// where TEL is 2^62 or more `outcome` is out_of_range, and only its makespan and peak mean
/// anything.
struct GroupedRun
{
    Outcome outcome;
    Unsigned128 total_latency = 0, first_token_latency = 0;
    std::vector<GroupStart> starts; ///< in the order of (first) time
};

/// Whether run_grouped serves the policy: a fixed order, the look-ahead check, nobody cancelled.
bool runs_grouped(PolicySpec const& spec);

/// Ids of the policies that it serves.
std::vector<std::string> grouped_policy_ids();

/// Runs a policy on groups under the unit clock: the same schedule as request by request, at a cost
/// that follows events, not requests; from a moment without active requests to the next one in
/// which only one group was served, events that would repeat are counted at once.
///
/// Contract: runs_grouped; every request fits. Throws std::invalid_argument where a policy with a
/// random order would have to choose between different groups.
GroupedRun run_grouped(PolicySpec const& spec, std::vector<RequestGroup> const& groups,
                       Tokens memory);

/// The volume bound (docs/model.md#volume-bound) from counts of equal requests: the same integer as
/// from the requests one by one, at a cost that does not grow with the counts. Contract: all
/// arrivals at 0.
Unsigned128 volume_of_groups(std::vector<RequestGroup> const& groups, Tokens memory);

} // namespace crx
