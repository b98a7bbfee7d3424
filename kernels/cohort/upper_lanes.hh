#pragma once

#include "kernels/cohort/instance_lanes.hh"

namespace crx {

/// a-max for several instances at once; for CPUs with AVX-512 or AVX2. Null where the processor
/// lacks the width, it is none, or the workload is not of the kind: at most eight lengths, numbers
/// that floats or doubles hold exactly, and instances so short that none has to be given up before
/// its end. Contract: the workload can be run by cohorts under a-max, and its tables outlive the
/// result.
std::unique_ptr<InstanceLanes> upper_lanes(WorkloadView const& workload,
                                           LaneWidth width = lane_width());

} // namespace crx
