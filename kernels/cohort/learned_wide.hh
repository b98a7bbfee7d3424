#pragma once

#include "kernels/cohort/composition.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/policy_spec.cuh"

#include <cstddef>
#include <cstdint>

namespace crx {

/// Whether this processor has what execute_learned_wide is made for (AVX-512), and the workload is
/// within its limits: memory below 2^24, u at most 512, fewer than 2^31 requests.
bool has_learned_wide(WorkloadView const& workload);

/// Bytes of arena that execute_learned_wide takes.
std::size_t learned_wide_bytes(WorkloadView const& workload);

/// LearnedLengthsEngine (a-min or a-min-evict by cohorts) on the CPU: the same integers by the same
/// words, the number of events among them, with room and draws looked through as vectors.
/// Contract: has_learned_wide(workload); as of execute_cohort in cohort.hh.
Outcome execute_learned_wide(PolicyKind kind, WorkloadView const& workload,
                             std::int64_t const* counts, std::uint64_t instance, Arena& arena,
                             ScheduleLog const& log);

} // namespace crx
