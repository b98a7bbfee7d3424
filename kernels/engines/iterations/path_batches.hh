#pragma once

#include "kernels/engines/iterations/iterate.hh"
#include "kernels/engines/iterations/path_run.cuh"
#include "kernels/model/launch_monitor.hh"

#include <memory>
#include <span>

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

/// A processor that holds many paths of one cell at once, each in a slot of its memory.
class PathSlots
{
  public:
    virtual ~PathSlots() = default;
    /// Slots it has memory for, at least 1, `room` as in PathRun. Throws std::runtime_error where
    /// there is none for a single path, saying how much it needs.
    virtual std::int64_t slots(std::int64_t room) = 0;
    /// Puts path paths[k] into slot k. What the slots held is lost.
    virtual void begin(std::span<std::int64_t const> paths, std::int64_t room) = 0;
    /// Every running path goes on for at most `steps` instants.
    virtual void advance(std::int64_t steps) = 0;
    /// Of every slot that was begun; valid until the next call.
    virtual std::span<PathStatus const> status() = 0;
    /// Tallies of all slots, slot by slot, one a checkpoint; of those that are done they are whole.
    virtual std::span<IterationTally const> tallies() = 0;
};

/// Slots on one thread of the CPU, `most` of them: what a GPU does slot by slot, where it can be
/// looked at. Not fast; launch_paths is. The cell must outlive it.
std::unique_ptr<PathSlots> host_path_slots(IterationCell const& cell, std::int64_t most);

/// Runs `count` paths from `first` on in those slots, as launch_paths does on the CPU: the same
/// integers, whatever the number of slots.
///
/// A launch runs for about `launch_seconds`: the number of instants it may take is doubled or
/// halved by how long the last one took. Between two launches stop_condition is asked; paths that
/// were given up or not begun are empty.
std::vector<std::vector<IterationTally>> run_in_slots(PathSlots& slots, IterationCell const& cell,
                                                      std::int64_t first, std::int64_t count,
                                                      StopCondition const& stop_condition,
                                                      double launch_seconds = 0.2);

} // namespace crx
