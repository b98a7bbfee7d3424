#pragma once

#include "kernels/engines/registry.hh"

namespace crx {

/// Why engines that learn what is reached alone do not take a policy with Learns::exceeded.
inline constexpr char learns_exceeded_refusal[] =
    "it learns what is reached alone, not what is exceeded";

// The rows of the registry, each defined in the row.cc of its engine's folder.
extern Engine const requests_engine, given_order_engine, cohorts_engine, list_schedule_engine,
    mc_sf_batch_engine, a_min_small_engine, fixed_length_batch_engine, a_max_batch_engine,
    a_min_batch_engine;
extern Engine const gpu_requests_engine, gpu_cohorts_engine, list_schedule_warp_engine,
    gpu_mc_sf_batch_engine, a_min_small_warp_engine, gpu_fixed_length_batch_engine,
    gpu_a_max_batch_engine;

} // namespace crx
