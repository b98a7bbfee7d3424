#pragma once

#include "kernels/engines/list_schedule/batch/lane_sort.hh"

namespace crx::mc_sf_batch {

/// VolumeBound (kernels/model/bounds/volume.cuh) of instances side by side, keys ascending;
/// `volumes`: room for n vectors. Contract: bounds_volume() of the workload.
void bound_lanes(Row const* keys, int n, KeyLayout const& layout, std::int32_t memory,
                 std::span<Exchange const> exchanges, Row* volumes, std::int32_t* bounds);

} // namespace crx::mc_sf_batch
