#pragma once

#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"

#include <memory>
#include <vector>

namespace crx {

/// Registers that instances are run in: 64 bytes (AVX-512) or 32 (AVX2).
enum class LaneWidth
{
    wide,
    half
};

/// a-max on instances of one workload side by side, by cohorts, one instance in each lane of the
/// processor's vectors; for CPUs with AVX-512 or AVX2. The same outcomes as execute_cohort gives,
/// events included.
class UpperLanes
{
  public:
    /// Null where this processor has no such vectors or the workload is not of the kind: at most
    /// eight lengths, numbers that floats or doubles hold exactly, and instances so short that none
    /// has to be given up before its end. Contract: the workload can be run by cohorts under a-max,
    /// and its tables outlive the result.
    static std::unique_ptr<UpperLanes> serving(WorkloadView const& workload);
    /// The same in registers of this width alone; null also where this processor lacks them.
    static std::unique_ptr<UpperLanes> serving(WorkloadView const& workload, LaneWidth width);
    virtual ~UpperLanes() = default;

    /// Instances that run side by side.
    virtual int lanes() const = 0;
    /// Runs instances first .. first + instances - 1, at most lanes(). counts[c k + j]: requests of
    /// the j-th of c lengths in instance first + k.
    virtual void execute(std::int64_t first, int instances, std::int64_t const* counts) = 0;
    /// Of the k-th instance that was run last.
    Outcome const& outcome(int k) const { return outcomes_[static_cast<std::size_t>(k)]; }

  protected:
    std::vector<Outcome> outcomes_;
};

} // namespace crx
