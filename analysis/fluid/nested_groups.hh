#pragma once

#include "analysis/fluid/thresholds.hh"

namespace crx::fluid {

/// Types that Nested WAIT serves on their own: those of one prompt length, or all.
struct GroupEnds
{
    Tokens prompt = 1;        ///< 0: the one group of all types, whose prompts differ
    std::vector<Tokens> ends; ///< last stage of each segment, as in NestedLoad
};

/// The groups' loads, in their order. `rate[s][j]` of slice s, as in nested_load.
///
/// A group of all types counts as one of prompts as long as the longest mean, over its segments, of
/// the prompts that reach the segment, rounded up: a statement on averages, as no theorem of AO
/// covers it. Throws std::domain_error as nested_load does, for a prompt length that no type or two
/// groups have, and for a type that no group has.
std::vector<NestedLoad> nested_groups(Load const& load, std::vector<GroupEnds> const& groups,
                                      std::vector<std::vector<double>> const& rate);

/// Sum over the groups: d1 times the tokens per second if every prompt stays to its segment's end.
double groups_utilisation(std::vector<NestedLoad> const& groups);

/// Thresholds a group; a group whose list is empty has none given.
using GroupThresholds = std::vector<std::vector<std::int64_t>>;

/// M^pi of all groups together.
Tokens groups_batch_tokens(std::vector<NestedLoad> const& groups, GroupThresholds const& n);

/// (10) for several groups, all strict: a full batch of all of them together takes less than n_1 /
/// rate in each group, and n_{i+1} > p_i n_i. Least thresholds for those that are not `given`, or
/// nothing where there are none. Throws std::domain_error as least_wait_thresholds does.
std::optional<GroupThresholds> least_group_thresholds(std::vector<NestedLoad> const& groups,
                                                      GroupThresholds given);

/// What of it does not hold, in words with the numbers; empty if all holds.
std::string broken_group_condition(std::vector<NestedLoad> const& groups, GroupThresholds const& n);

} // namespace crx::fluid
