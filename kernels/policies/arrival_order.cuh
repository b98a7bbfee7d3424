#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// Knows true lengths, serves in order of arrival. Source: JAILLET section 5.2, MC-Benchmark.
struct ArrivalOrder : PolicyDefaults
{
    static constexpr PolicyKind kind{2};
    static constexpr char const* id = "mc-benchmark";
    static constexpr char const* summary = "order of arrival, true lengths";
    static constexpr char const* cohort_refusal = refuses_cohorts_by_arrival;
    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.arrival; }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.output; }
};
static_assert(Policy<ArrivalOrder>);

} // namespace crx
