#pragma once

#include "kernels/lockstep/lanes.hh"

namespace crx::lockstep {

/// Largest memory, and largest sum of outputs, that lanes hold: loads reach their sum, and eight
/// completion times are added before they leave 16 bits.
inline constexpr std::int32_t most_rounds = 8191;

/// MC-SF's outcome of each instance.
struct alignas(64) LaneOutcomes
{
    std::int32_t total_latency[lanes];
    std::int16_t output_sum[lanes], makespan[lanes], peak_memory[lanes], events[lanes];
    std::int16_t lost[lanes]; ///< not 0: more than eight different ends were to come at once;
                              ///< nothing else is known of this instance
};

/// ListSchedule of MC-SF's order for instances side by side (kernels/engine/list_schedule.cuh),
/// keys ascending. Contract: n >= 1; every request fits alone; memory <= most_rounds, and so is
/// n times the largest output.
void schedule_lanes(Row const* keys, int n, KeyLayout const& layout, std::int32_t memory,
                    LaneOutcomes& out);

} // namespace crx::lockstep
