#pragma once

#include "kernels/laws/instance_source.hh"
#include "kernels/laws/workload.cuh"
#include "kernels/policies/offline_order.hh"
#include "kernels/policies/policy_spec.cuh"
#include "kernels/simd/processor.hh"

#include <cstdint>
#include <string>

namespace crx {

/// How random choices are made from an instance's words (docs/random-choices.md). All engines of
/// one law give the same integers; the two laws give equal distributions.
enum class RandomLaw : std::uint8_t
{
    request, ///< request by request
    cohort,  ///< requests that no policy can tell apart are counted, and counts are drawn
};

/// What an engine must know beside the policy to say whether it takes the instances of a cell. The
/// workload's tables, the source and the order must outlive it.
struct EngineCase
{
    WorkloadView workload;                  ///< says the most of n and M where there is a source
    InstanceSource const* source = nullptr; ///< makes the instances in place of the workload
    OfflineOrder const* order = nullptr;    ///< orders requests in place of the policy
    bool searched_baselines = false; ///< some baseline searches for schedules of single requests
    /// Every policy of the cell follows the cohort law: requests are never written down, and counts
    /// are drawn as such.
    bool counts_only = false;
    bool wants_volume = false;     ///< the volume bound is a baseline, or the release bound
    SimdLevel simd = simd_level(); ///< vectors that engines may use; none that it lacks are

    /// Why no engine that is written with vectors runs there; empty: some may.
    std::string vectors_refusal() const
    {
        return usable_level(simd) == SimdLevel::none
                   ? "the processor has no vectors of 32 bytes (AVX2)"
                   : "";
    }

    /// Whether all requests arrive at 0.
    bool at_zero() const
    {
        return source != nullptr ? source->together()
                                 : workload.arrival_kind == ArrivalKind::at_zero;
    }
};

} // namespace crx
