#pragma once

#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/policies/policy_spec.cuh"

#include <cstddef>
#include <optional>

namespace crx {

/// Whether the cohort engine can run this policy on this workload: output lengths given as a
/// composition with ascending values, one prompt length, n below 2^32 - 1 and, for policies that do
/// not know the lengths, one interval for all.
bool cohort_applies(PolicySpec const& spec, WorkloadView const& workload);

/// Bytes of memory an instance takes; they do not grow with n. Contract: cohort_applies.
std::size_t cohort_bytes(PolicySpec const& spec, WorkloadView const& workload);

/// Runs one policy on one instance by cohorts: requests that no policy can tell apart move as
/// counts. Empty where the engine does not apply.
///
/// Equal to the request engine in every field but `events` where nothing is random (mc-sf,
/// mc-sf-total, or a single class), equal in law elsewhere. A function of (seed, policy, instance).
/// Contract: every request fits (s + o <= M, and s + u <= M where the policy plans with u); `block`
/// holds cohort_bytes and is aligned to 16 bytes.
std::optional<Outcome> execute_cohort(PolicySpec const& spec, WorkloadView const& workload,
                                      std::int64_t instance, void* block, std::size_t bytes);

} // namespace crx
