#pragma once

#include "kernels/engines/iterations/iterate.hh"
#include "kernels/engines/iterations/path_run.cuh"

namespace crx {

/// Least number of a type's prompts that its policy asks for, per type: WAIT by counts never asks
/// that came before a threshold was reached.
std::vector<std::int64_t> arrival_quorum(IterationCell const& cell);

/// The cell as its paths read it, on the host. Contract: cell and quorum outlive it.
PathPlan path_plan(IterationCell const& cell, std::vector<std::int64_t> const& quorum);

/// Calls run.operator()<Policy>() with the class that runs the cell's policy.
template <class Run>
auto with_path_policy(IterationCell const& cell, Run run)
{
    if (!has_thresholds(cell.policy.kind)) return run.template operator()<FcfsPolicy>();
    return cell.policy.names_prompts() ? run.template operator()<PromptThresholdPolicy>()
                                       : run.template operator()<ThresholdPolicy>();
}

/// Bytes of arena that a path needs, counted on the host.
template <class Policy>
std::size_t path_arena_bytes(PathPlan const& plan, std::int64_t room);

/// Room that the queues of a path get at first, and by what it is multiplied when they overflow.
inline constexpr std::int64_t first_path_room = 1024, path_room_factor = 8;

} // namespace crx
