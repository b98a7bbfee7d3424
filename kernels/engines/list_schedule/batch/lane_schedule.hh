#pragma once

#include "kernels/engines/list_schedule/batch/lanes.hh"

namespace crx::mc_sf_batch {

/// MC-SF's outcome of each instance.
struct alignas(64) LaneOutcomes
{
    std::int32_t total_latency[lanes];
    std::int16_t output_sum[lanes], makespan[lanes], peak_memory[lanes], events[lanes];
    std::int16_t lost[lanes]; ///< not 0: more than eight different ends were to come at once;
                              ///< nothing else is known of this instance
};

/// ListSchedule of MC-SF's order for instances side by side
/// (kernels/engines/list_schedule/list_schedule.cuh), keys ascending. Contract: layout_serving() of
/// the workload.
void schedule_lanes(Row const* keys, int n, KeyLayout const& layout, std::int32_t memory,
                    LaneOutcomes& out);

} // namespace crx::mc_sf_batch
