#pragma once

#include "kernels/engines/list_schedule/batch/key_layout.cuh"
#include "kernels/engines/list_schedule/batch/merge_exchange.hh"
#include "kernels/simd/processor.hh"

#include <span>

namespace crx::mc_sf_batch {

/// Instances side by side: what is decided for one of them would be a branch, for 32 it is a mask.
inline constexpr int lanes = 32;

/// A number below 2^15 of each instance.
struct alignas(2 * lanes) Row
{
    std::int16_t of[lanes];
};

/// MC-SF's outcome of each instance.
struct alignas(64) LaneOutcomes
{
    std::int32_t total_latency[lanes];
    Row output_sum, makespan, peak_memory, events;
    Row lost; ///< not 0: more than eight different ends were to come at once; nothing else is known
              ///< of this instance
};

CRX_FOR_EACH_LEVEL(
    /// Keys of `count` requests, number `first` and on, of their lengths.
    void join_keys(std::int32_t const* output, std::int32_t const* prompt, int count, int first,
                   KeyLayout const& layout, Row* keys);
    /// Sorts rows so that each lane ascends, by merge_exchange() of their number.
    void sort_rows(std::span<Exchange const> exchanges, Row* rows);
    /// ListSchedule of MC-SF's order for instances side by side (list_schedule.cuh), keys
    /// ascending. Contract: layout_serving() of the workload.
    void schedule_rows(std::span<Row const> keys, KeyLayout const& layout, std::int32_t memory,
                       LaneOutcomes& out);
    /// VolumeBound (kernels/model/bounds/volume.cuh), keys ascending; `volumes`: room for as many
    /// rows. Contract: bounds_volume() of the workload.
    void bound_rows(std::span<Row const> keys, KeyLayout const& layout, std::int32_t memory,
                    std::span<Exchange const> exchanges, Row* volumes, std::int32_t* bounds);)

} // namespace crx::mc_sf_batch
