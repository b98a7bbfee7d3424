#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// A_random: knows true lengths, serves in one uniformly random order. With all arrivals at 0 it is
/// also WANG's FCFS. Source: CHEN, Algorithm 4.
struct RandomOrder : PolicyDefaults
{
    static constexpr PolicyKind kind = PolicyKind::a_random;
    static constexpr bool random_order = true;
    static constexpr bool sorted = false;
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.output; }
};
static_assert(Policy<RandomOrder>);

} // namespace crx
