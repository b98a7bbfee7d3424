#pragma once

#include "kernels/backends/cuda/device_batch.cuh"

namespace crx {

// The request engine on a batch, a thread a slot: kernels are put into the stream, and waited for
// where they run in slices (slices.cuh). A file of its own, as its kernels take minutes to compile.

/// Writes the requests of the batch's instances.
void generate_requests_of(Batch const& batch);

/// Of which slots something is computed.
enum class Slots
{
    all,
    unknown, ///< where a warp could not say: finished is 0 without a reason, or a bound is -1
    lost     ///< those in batch.lost; warps alone
};

/// bound[slot]: the bound for the requests written.
void bound_volume(Batch const& batch, std::int64_t* bound, Slots slots = Slots::all);
/// In slices.
void bound_release(Batch const& batch, std::int64_t* bound);
/// Bytes of Batch::engines that it needs a slot for n requests.
std::size_t release_bytes(std::int64_t n);

/// Enters into batch.lost the slots whose outcome is not known. Contract: batch.lost is there.
void list_lost(Batch const& batch, Outcome const* outcome);
/// Writes the requests of the slots in batch.lost.
void generate_lost_requests(Batch const& batch);

/// outcome[slot]: the policy's, on the requests written, in slices. Contract: engine_bytes are at
/// least sliced_bytes.
void launch_policy(PolicySpec const& spec, Batch const& batch, Outcome* outcome,
                   Slots slots = Slots::all);

// The cohort engine on a batch, a thread a slot, likewise. A file of its own, as its kernels take
// minutes to compile.

/// Counts of instances whose requests are never written down.
void draw_counts_of(Batch const& batch);

/// Counts of instances that were generated request by request.
void count_requests_of(Batch const& batch);

/// bound[slot]: the volume bound.
void bound_by_class(Batch const& batch, std::int64_t* bound);

/// outcome[slot]: the policy's, in slices. Contract: the policy has a cohort form; engine_bytes are
/// at least sliced_cohort_bytes.
void launch_cohorts(PolicySpec const& spec, Batch const& batch, Outcome* outcome);

// Policies on a batch, a warp a slot (docs/decisions/057-a-warp-an-instance.md): kernels are put
// into the stream and not waited for. A file of its own, as its kernels take minutes to compile.

/// Bytes of Batch::engines a slot that launch_by_warps needs for n requests; 0 where no workload
/// has an engine by warps for the policy.
std::size_t warp_bytes(PolicySpec const& spec, std::int64_t n);

/// outcome[slot]: the policy's, on the requests written; finished = 0 and no reason: not known, as
/// the instance does not fit the lanes. Contract: an engine by warps takes the
/// policy (list-schedule-warp, a-min-small-warp); batch.queue is there.
void launch_by_warps(PolicySpec const& spec, Batch const& batch, Outcome* outcome,
                     Slots slots = Slots::all);

/// bound[slot]: the volume bound for the requests written; -1: not known. Contract: batch.queue is
/// there.
void bound_volume_by_warps(Batch const& batch, std::int64_t* bound);

} // namespace crx
