#pragma once

#include "kernels/cohort/instance_lanes.hh"

namespace crx {

/// a-max on instances of one workload side by side; for CPUs with AVX-512.
class UpperLanes : public InstanceLanes
{
  public:
    /// Null where this processor has no such vectors or the workload is not of the kind: at most
    /// eight lengths, numbers that floats or doubles hold exactly, and instances so short that none
    /// has to be given up before its end. Contract: the workload can be run by cohorts under a-max,
    /// and its tables outlive the result.
    static std::unique_ptr<UpperLanes> serving(WorkloadView const& workload);

  protected:
    using InstanceLanes::InstanceLanes;
};

} // namespace crx
