#pragma once

#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/policy_kind.cuh"
#include "kernels/simd/processor.hh"

namespace crx {

/// Whether AMinBatchEngine can run a-min and a-min-evict on the workload, whether it is worth it
/// or not: memory below 2^24, u at most 512, fewer than 2^30 requests, and instances so short that
/// none has to be given up before its end. Rounds are taken to be four times as many as if nobody
/// were cancelled: where it is worth it three times as many were seen, with memory for a few
/// requests six times. Contract: the workload can be run by cohorts under these policies.
bool a_min_batch_fit(WorkloadView const& workload);

/// Whether it is faster than the engine that runs one instance. With little memory for the longest
/// requests few of them run together, and the rounds that are looked through in all lanes are too
/// many, sooner for a-min, which admits fewer in a round (docs/decisions/067-engines-deleted.md).
bool a_min_batch_pays(PolicyKind kind, WorkloadView const& workload);

/// The policy, one of these two, for several instances at once; for CPUs with AVX-512 or AVX2. Null
/// where the processor lacks the instruction set, it is none, or nothing fits. Contract: as above,
/// and the workload's tables outlive the result.
std::unique_ptr<InstanceBatch> a_min_batch(PolicyKind kind, WorkloadView const& workload,
                                           SimdLevel level = simd_level());
/// The same where it fits. `most_cohorts`: of an instance.
CRX_FOR_EACH_LEVEL(InstanceBatch* make_a_min_batch(PolicyKind kind, WorkloadView const& workload,
                                                   std::int64_t most_cohorts);)

} // namespace crx
