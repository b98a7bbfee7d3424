#pragma once

#include "kernels/backends/cuda/device_batch.cuh"

namespace crx {

// The request engine on a batch, a thread a slot: kernels are put into the stream and not waited
// for. A file of its own, as its kernels take minutes to compile.

/// Writes the requests of the batch's instances.
void generate_requests_of(Batch const& batch);

/// Of which slots something is computed.
enum class Slots
{
    all,
    unknown ///< where a warp could not say: finished is 0 without a reason, or a bound is -1
};

/// bound[slot]: the bound for the requests written.
void bound_volume(Batch const& batch, std::int64_t* bound, Slots slots = Slots::all);
void bound_release(Batch const& batch, std::int64_t* bound);

/// Runs MC-SF where `outcome[slot]` is unfinished, as DeviceMcSfBatch leaves it; writes the
/// requests of those slots.
void repair_shortest_first(Batch const& batch, Outcome* outcome);

/// outcome[slot]: the policy's, on the requests written.
void launch_policy(PolicySpec const& spec, Batch const& batch, Outcome* outcome,
                   Slots slots = Slots::all);

} // namespace crx
