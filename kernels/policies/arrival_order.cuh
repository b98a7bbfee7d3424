#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// Knows true lengths, serves in order of arrival. Source: JAILLET section 5.2, MC-Benchmark.
struct ArrivalOrder : PolicyDefaults
{
    static constexpr PolicyKind kind = PolicyKind::mc_benchmark;
    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.arrival; }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.output; }
};
static_assert(Policy<ArrivalOrder>);

} // namespace crx
