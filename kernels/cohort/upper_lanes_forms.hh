#pragma once

#include "kernels/cohort/upper_lanes.hh"

// The two forms of UpperLanes, each compiled for its own processors (upper_lanes_wide.cc,
// upper_lanes_half.cc).

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CRX_UPPER_LANES
#endif

namespace crx {

/// What the numbers of each lane are held in.
enum class LaneType
{
    floats,
    doubles
};

/// Registers of 64 bytes. Contract: the processor is an x86-64-v4, which has AVX-512; at most eight
/// lengths; the type holds all numbers (UpperLanes::serving).
std::unique_ptr<UpperLanes> upper_lanes_wide(WorkloadView const& workload, LaneType type);
/// Registers of 32 bytes. Contract: the same with x86-64-v3, which has AVX2.
std::unique_ptr<UpperLanes> upper_lanes_half(WorkloadView const& workload, LaneType type);

} // namespace crx
