#pragma once

#include "kernels/backends/cuda/device_batch.cuh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/policy_spec.cuh"

#include <memory>

namespace crx {

/// mc-sf, a-max and two-point a-ell by cohorts on a GPU: the engines in lanes of the CPU, a warp a
/// register, an instance a thread. The same outcomes as launch_cohorts, events included. What a
/// warp reads and writes of its cohorts lies side by side, most of it in shared memory. A file of
/// its own, as its kernels take minutes to compile.
class DeviceCohortLanes
{
  public:
    /// Null where no engine in lanes fits (fixed_length_batch_fit, a_max_batch_fit). Contract: the
    /// workload can be run by cohorts under the policy; `host` has its tables on the host.
    static std::unique_ptr<DeviceCohortLanes> serving(PolicySpec const& spec,
                                                      WorkloadView const& host);

    /// outcome[slot]: the policy's. Puts a kernel into the stream and does not wait for it.
    /// Contract: a batch of the workload.
    void execute(Batch const& batch, Outcome* outcome) const;

  private:
    DeviceCohortLanes(PolicyKind kind, LaneFit fit, int classes, std::int64_t places)
        : kind_(kind), fit_(fit), classes_(classes), places_(places)
    {
    }

    PolicyKind kind_;
    LaneFit fit_;
    int classes_;
    std::int64_t places_; ///< most in use at a time
};

} // namespace crx
