#pragma once

#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/policy_spec.cuh"

#include <cstddef>
#include <cstdint>
#include <span>

namespace crx {

/// LearnedLengthsEngine (a-min or a-min-evict by cohorts) on the CPU, compiled for one kind of
/// processor: the same integers by the same words, the number of events among them, with room and
/// draws looked through as vectors. The form for processors with vectors of 64 bytes (AVX-512) and
/// that for 32 bytes (AVX2) are one source.
struct LearnedWide
{
    char const* processor;                              ///< what it is made for
    std::size_t (*bytes)(WorkloadView const& workload); ///< of arena that `execute` takes
    /// Contract: has_learned_wide(workload); as of execute_cohort in cohort.hh.
    Outcome (*execute)(PolicyKind kind, WorkloadView const& workload, std::int64_t const* counts,
                       std::uint64_t instance, Arena& arena, ScheduleLog const& log);
};

/// The forms that this processor can run, the fastest first.
std::span<LearnedWide const> learned_wide_forms();

/// Whether there is one, and the workload is within its limits: memory below 2^24, u at most 512,
/// fewer than 2^31 requests.
bool has_learned_wide(WorkloadView const& workload);

} // namespace crx
