#pragma once

#include "kernels/backends/cuda/device_batch.cuh"

namespace crx {

// The cohort engine on a batch, a thread a slot: kernels are put into the stream and not waited
// for. A file of its own, as its kernels take minutes to compile.

/// Counts of instances whose requests are never written down.
void draw_counts_of(Batch const& batch);

/// Counts of instances that were generated request by request.
void count_requests_of(Batch const& batch);

/// bound[slot]: the volume bound.
void bound_by_class(Batch const& batch, std::int64_t* bound);

/// outcome[slot]: the policy's. Contract: the policy has a cohort form.
void launch_cohorts(PolicySpec const& spec, Batch const& batch, Outcome* outcome);

} // namespace crx
