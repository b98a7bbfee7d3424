#pragma once

#include "kernels/cohort/instance_lanes.hh"
#include "kernels/policies/policy_kind.cuh"

namespace crx {

/// Whether LearnedLaneEngine can run a-min and a-min-evict on the workload: memory below 2^24, u at
/// most 512, fewer than 2^30 requests, and instances that are not so long that one might have to be
/// given up before its end, whether it is worth it or not. Contract: the workload can be run by
/// cohorts under a-min.
bool learned_lanes_fit(WorkloadView const& workload);

/// Whether it is worth it: with little memory for the longest requests few of them run together,
/// and the rounds that are looked through in all lanes are too many (docs/performance-cohort.md).
bool learned_lanes_pay(WorkloadView const& workload);

/// The policy, one of these two, for several instances at once; for CPUs with AVX-512 or AVX2. Null
/// where the processor lacks the width, it is none, or nothing fits. Contract: as above, and the
/// workload's tables outlive the result.
std::unique_ptr<InstanceLanes> learned_lanes(PolicyKind kind, WorkloadView const& workload,
                                             LaneWidth width = lane_width());

} // namespace crx
