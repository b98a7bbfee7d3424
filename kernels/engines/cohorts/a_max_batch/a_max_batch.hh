#pragma once

#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/simd/processor.hh"

namespace crx {

inline constexpr int most_a_max_lengths = 8;

/// Why AMaxBatchEngine cannot run a-max on the workload; empty: it can. Contract: the workload can
/// be run by cohorts under a-max.
std::string a_max_batch_refusal(WorkloadView const& workload);
/// The numbers that it can do so in.
LaneFit a_max_batch_fit(WorkloadView const& workload);

/// a-max for several instances at once; for CPUs with AVX-512 or AVX2. Null where the processor
/// lacks the instruction set, it is none, or nothing fits. Contract: as above, and the workload's
/// tables outlive the result.
std::unique_ptr<InstanceBatch> a_max_batch(WorkloadView const& workload,
                                           SimdLevel level = simd_level());
/// The same where it fits, in floats or in doubles.
CRX_FOR_EACH_LEVEL(InstanceBatch* make_a_max_batch(WorkloadView const& workload, bool floats);)

} // namespace crx
