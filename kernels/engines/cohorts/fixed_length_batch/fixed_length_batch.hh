#pragma once

#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/policy_spec.cuh"
#include "kernels/simd/processor.hh"

namespace crx {

/// Whether it is a policy that FixedLengthBatchEngine can run: mc-sf (mc-sf-total is the same) or
/// a-ell.
bool runs_fixed_lengths(PolicyKind kind);

/// Why FixedLengthBatchEngine cannot run the policy on the workload; empty: it can. Contract: the
/// workload can be run by cohorts under the policy.
std::string fixed_length_batch_refusal(PolicySpec const& spec, WorkloadView const& workload);
/// The numbers that it can do so in.
LaneFit fixed_length_batch_fit(PolicySpec const& spec, WorkloadView const& workload);

/// The policy for several instances at once; for CPUs with AVX-512 or AVX2. Null where the
/// processor lacks the instruction set, it is none, or nothing fits. Contract: as above, and the
/// workload's tables outlive the result.
std::unique_ptr<InstanceBatch> fixed_length_batch(PolicySpec const& spec,
                                                  WorkloadView const& workload,
                                                  SimdLevel level = simd_level());
/// The same where it fits, for mc-sf or for a-ell (`hidden`), in floats or in doubles.
CRX_FOR_EACH_LEVEL(InstanceBatch* make_fixed_length_batch(WorkloadView const& workload, bool hidden,
                                                          bool floats);)

/// Most steps of a group while a cohort is active: its rounds, and one for each length that is
/// turned to. `longest`: the longest working length.
inline std::int64_t fixed_length_batch_steps(WorkloadView const& w, std::int64_t longest)
{
    return longest + static_cast<std::int64_t>(w.output_value.size()) + 4;
}

} // namespace crx
