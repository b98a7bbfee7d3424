#pragma once

#include "kernels/simd/warp_lanes.cuh"

#include "kernels/engines/a_min_small/a_min_small.hh"
#include "kernels/engines/a_min_small/one_instance_engine.cuh"

namespace crx {
namespace {

/// a-min (outlived requests counted) or a-min-evict (weightless) by a warp, for instances in which
/// few requests run at a time: those that run lie in lanes that are all looked at at once, those
/// that wait with the least working length in one array by index. The integers and the words are
/// those of RequestEngine. Nothing where execute_a_min_small says nothing, or time reaches 2^24.
/// Source: CHEN, Algorithm 2; SPEC sections 3 and 4.
CRX_HD inline std::optional<Outcome>
execute_a_min_small_by_warp(Outlived outlived, Requests const& requests, std::uint64_t seed,
                            std::uint32_t stream, std::uint64_t instance, ScheduleLog const& log,
                            Arena& arena)
{
    if (requests.n > a_min_small_requests || requests.memory > a_min_small_memory ||
        requests.clock.affine() || !all_at_0(requests))
        return {};
    return AMinOneInstance(outlived, requests, WarpWords(seed, stream, instance), log, arena)
        .execute();
}

} // namespace
} // namespace crx
