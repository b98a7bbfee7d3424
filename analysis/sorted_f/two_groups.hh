#pragma once

#include "analysis/adversary/grouped_run.hh"

namespace crx::sorted_f {

/// So many requests of a group, one after another in the order in which they are served.
struct Segment
{
    std::size_t group = 0;
    std::int64_t count = 0;
    bool operator==(Segment const&) const = default;
};

/// Phase 1 of Sorted-F with the exact selector on two groups of equal requests: the order of Phase
/// 2, neighbours of one group joined. Requests of a group are told apart by nothing, so this is
/// that order up to names. Cost: the number of different batches times M over the larger s + o.
/// Contract: two groups, all arrivals at 0, every request fits.
std::vector<Segment> order_of_two_groups(std::vector<RequestGroup> const& groups, Tokens memory);

/// Sorted-F on two groups; `starts` names them as `groups` does. Contract: as above.
GroupedRun run_two_groups(std::vector<RequestGroup> const& groups, Tokens memory);

/// The prefix rule in a given order of segments.
GroupedRun run_segments(std::vector<RequestGroup> const& groups, Tokens memory,
                        std::vector<Segment> const& order);

} // namespace crx::sorted_f
