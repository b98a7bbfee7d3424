#pragma once

#include "kernels/lockstep/sorting_network.hh"

namespace crx::lockstep {

/// Largest volume of a request, and largest sum of an instance's volumes, that the bound takes.
inline constexpr std::int32_t most_volume = 32767;
inline constexpr std::int32_t most_volume_sum = (1 << 24) - 1;

/// VolumeBound (kernels/bounds/volume.cuh) of instances side by side, keys ascending; `volumes`:
/// room for n vectors. Contract: volumes within the limits above, memory >= 1.
void bound_lanes(Row const* keys, int n, KeyLayout const& layout, std::int32_t memory,
                 SortingNetwork const& network, Row* volumes, std::int32_t* bounds);

} // namespace crx::lockstep
