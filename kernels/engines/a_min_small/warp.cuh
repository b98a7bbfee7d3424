#pragma once

#define CRX_LANE_BITS 1024
#include "kernels/engines/a_min_small/few_active.hh"
#include "kernels/engines/a_min_small/one_instance_engine.cuh"
#include "kernels/simd/warp_words.cuh"

namespace crx {
namespace {

/// execute_few_active by a warp: the same limits, integers and words.
CRX_HD inline std::optional<Outcome> execute_few_in_lanes(Outlived outlived,
                                                          Requests const& requests,
                                                          std::uint64_t seed, std::uint32_t stream,
                                                          std::uint64_t instance,
                                                          ScheduleLog const& log, Arena& arena)
{
    if (requests.n > a_min_small_requests || requests.memory > a_min_small_memory ||
        requests.clock.affine() || !all_at_0(requests))
        return {};
    return AMinOneInstance(outlived, requests, WarpWords(seed, stream, instance), log, arena)
        .execute();
}

} // namespace
} // namespace crx
