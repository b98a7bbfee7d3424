#pragma once

#include "kernels/cohort/instance_lanes.hh"
#include "kernels/policies/policy_spec.cuh"

namespace crx {

/// mc-sf, and a-ell on lengths l and u alone, for several instances at once; for CPUs with AVX-512
/// or AVX2. Null where the processor lacks the width, it is none, or the case is not of the kind:
/// numbers that floats or doubles hold exactly, and instances so short that none has to be given up
/// before its end. Contract: the workload can be run by cohorts under the policy, and its tables
/// outlive the result.
std::unique_ptr<InstanceLanes> end_lanes(PolicySpec const& spec, WorkloadView const& workload,
                                         LaneWidth width = lane_width());

} // namespace crx
