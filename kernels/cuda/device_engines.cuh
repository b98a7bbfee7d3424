#pragma once

#include "kernels/cuda/device_array.cuh"
#include "kernels/cuda/device_batch.cuh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/engines/lists/two_instances.cuh"

#include <functional>
#include <span>

namespace crx {

// What kernels do with a batch: they are put into the stream, and waited for where they run in
// slices (slices.cuh). `outcome` and `bound` have a place for every slot of the batch. Policies'
// parameters are those of each cell; `spec` says which policy it is.

using RunBatch = std::function<void(GpuBatch const&)>;

// The request engine, a thread an instance. A file of its own, as its kernels take minutes to
// compile.

/// Writes the requests of the batch's instances.
void generate_requests_of(GpuBatch const& batch);

/// run(part) for some instances after others, whose requests are written.
void run_with_requests(GpuBatch const& batch, RunBatch const& run);

/// The bounds for the requests written; the second in slices.
void bound_volume(GpuBatch const& batch, std::int64_t* bound);
void bound_release(GpuBatch const& batch, std::int64_t* bound);

/// In slices, on the requests written.
void launch_policy(PolicySpec const& spec, GpuBatch const& batch, Outcome* outcome);

/// run_with_requests of those whose result is not known (finished is 0 without a reason, a bound is
/// -1); how many there are. Waits.
std::int64_t run_unknown(GpuBatch const& batch, Outcome const* outcome, RunBatch const& run);
std::int64_t run_unknown(GpuBatch const& batch, std::int64_t const* bound, RunBatch const& run);

// The cohort engine, a thread an instance, likewise.

/// Counts of instances whose requests are never written down, and of those written.
void draw_counts_of(GpuBatch const& batch);
void count_requests_of(GpuBatch const& batch);

/// The volume bound; `bytes`: volume_by_class_bytes of the cell that needs most.
void bound_by_class(GpuBatch const& batch, std::size_t bytes, std::int64_t* bound);

/// In slices; `bytes`: sliced_cohort_bytes of the cell that needs most. Contract: the policy has a
/// cohort form.
void launch_cohorts(PolicySpec const& spec, GpuBatch const& batch, std::size_t bytes,
                    Outcome* outcome);

// Policies by a warp an instance (docs/decisions/057-a-warp-an-instance.md), on the requests
// written.
// What does not fit the lanes stays unknown (run_unknown). Files of their own, likewise.

/// Contract: an engine by warps takes the policy (list-schedule-warp, a-min-small-warp).
void launch_by_warps(PolicySpec const& spec, GpuBatch const& batch, Outcome* outcome);

void bound_volume_by_warps(GpuBatch const& batch, std::int64_t* bound);

/// mc-sf, a-max and two-point a-ell by cohorts: the engines in lanes of the CPU, a warp a register,
/// an instance a thread. The same outcomes as launch_cohorts, events included. What a warp reads
/// and writes of its cohorts lies side by side, most of it in shared memory. `cells`: those of the
/// batch. Contract: the engine in lanes takes every cell (fixed_length_batch_fit,
/// a_max_batch_fit).
void launch_cohort_lanes(PolicySpec const& spec, std::span<Cell const* const> cells,
                         GpuBatch const& batch, Outcome* outcome);

/// MC-SF and the volume bound of small instances, two a thread: keys are sorted in registers, and
/// ends lie there. Nothing of an instance goes through device memory but its result.
class DeviceMcSfBatch
{
  public:
    /// Those of the cells of a batch, with tables on the host. Contract: layout_serving() accepts
    /// them, and they have most_thread_requests or fewer.
    explicit DeviceMcSfBatch(std::span<WorkloadView const> workloads);

    /// What has too many ends to come stays unknown. `bound` may be null. Contract: bounds_volume()
    /// of every cell, where there is one.
    void execute(GpuBatch const& batch, Outcome* outcome, std::int64_t* bound) const;

  private:
    DeviceArray<mc_sf_batch::ThreadPlan> plans_;
};

} // namespace crx
