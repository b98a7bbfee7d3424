#pragma once

#include "kernels/backends/cuda/device_batch.cuh"

namespace crx {

// Policies on a batch, a warp a slot (docs/decisions/057-a-warp-an-instance.md): kernels are put
// into the stream and not waited for. A file of its own, as its kernels take minutes to compile.

/// Bytes of Batch::engines a slot that launch_by_warps needs for n requests; 0 where no workload
/// has an engine by warps for the policy.
std::size_t warp_bytes(PolicySpec const& spec, std::int64_t n);

/// outcome[slot]: the policy's, on the requests written; finished = 0 and no reason: not known, as
/// the instance does not fit the lanes. Contract: an engine by warps takes the
/// policy (list-schedule-warp, a-min-small-warp); batch.queue is there.
void launch_by_warps(PolicySpec const& spec, Batch const& batch, Outcome* outcome);

/// bound[slot]: the volume bound for the requests written; -1: not known. Contract: batch.queue is
/// there.
void bound_volume_by_warps(Batch const& batch, std::int64_t* bound);

} // namespace crx
