#pragma once

#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/policy_spec.cuh"

#include <cstddef>
#include <string>

namespace crx {

/// Why the cohort engine cannot run this policy on this workload; empty: it can.
///
/// It can where requests of one output length are alike to every policy: lengths from a composition
/// or a tabulated law, ascending values, one prompt length, n below 2^32 - 1 and, for policies that
/// do not know the lengths, one interval for all.
std::string cohort_refusal(PolicySpec const& spec, WorkloadView const& workload);

/// Why no policy can be run by cohorts on the workload; empty: some can.
std::string cohort_refusal(WorkloadView const& workload);

/// Which rule says what the engine draws for this policy: another number, other draws of the same
/// law. 0: it draws nothing.
int cohort_draw_rule(PolicyKind kind);

/// Bytes of memory an instance takes; they do not grow with n. Contract: no refusal.
std::size_t cohort_bytes(PolicySpec const& spec, WorkloadView const& workload);
/// Bytes that an instance takes in execute_cohort_slice. Contract: the policy has a cohort form.
std::size_t sliced_cohort_bytes(PolicySpec const& spec, WorkloadView const& workload);

/// Runs one policy on one instance by cohorts: requests that no policy can tell apart move as
/// counts. counts[k] requests have the workload's k-th output length.
///
/// Equal to the request engine in every field but `events` where nothing is random (mc-sf,
/// mc-sf-total, or a single class), equal in law elsewhere. A function of (seed, policy, instance,
/// counts). Of the log only on_event is used: requests have no names here.
/// Contract: no refusal; every request fits (s + o <= M, and s + u <= M where the policy plans with
/// u); `block` holds cohort_bytes and is aligned to 16 bytes.
Outcome execute_cohort(PolicySpec const& spec, WorkloadView const& workload,
                       std::int64_t const* counts, std::int64_t instance, void* block,
                       std::size_t bytes, ScheduleLog const& log = {});

/// The volume bound of an instance given by counts; the request path's integer; 0: 2^62 or more.
/// Contract: cohort_refusal(workload) is empty; `block` holds volume_by_class_bytes.
std::int64_t volume_by_class(WorkloadView const& workload, std::int64_t const* counts, void* block,
                             std::size_t bytes);
std::size_t volume_by_class_bytes(WorkloadView const& workload);

} // namespace crx
