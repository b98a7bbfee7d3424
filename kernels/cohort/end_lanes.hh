#pragma once

#include "kernels/cohort/instance_lanes.hh"
#include "kernels/policies/policy_spec.cuh"

namespace crx {

/// mc-sf (mc-sf-total is the same), and a-ell on lengths l and u alone, for several instances at
/// once; for CPUs with AVX-512 or AVX2. Null where the processor lacks the width, it is none, or
/// the case is not of the kind: numbers that floats or doubles hold exactly, and instances so short
/// that none has to be given up before its end. Contract: the workload can be run by cohorts under
/// the policy, and its tables outlive the result.
std::unique_ptr<InstanceLanes> end_lanes(PolicySpec const& spec, WorkloadView const& workload,
                                         LaneWidth width = lane_width());

/// Most steps of a group while a cohort is active: its rounds, and one for each length that is
/// turned to. `longest`: the longest working length.
inline std::int64_t end_lane_steps(WorkloadView const& w, std::int64_t longest)
{
    return longest + static_cast<std::int64_t>(w.output_value.size()) + 4;
}

} // namespace crx
