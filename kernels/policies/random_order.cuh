#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// A_random: knows true lengths, serves in one uniformly random order. With all arrivals at 0 it is
/// also WANG's FCFS. Source: CHEN, Algorithm 4.
struct RandomOrder : PolicyDefaults
{
    static constexpr PolicyKind kind{3};
    static constexpr char const* id = "a-random";
    static constexpr char const* summary = "one uniformly random order, true lengths";
    static constexpr CohortForm cohort_form = CohortForm::random_order;
    static constexpr bool random_order = true;
    static constexpr bool sorted = false;
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.output; }
};
static_assert(Policy<RandomOrder>);

} // namespace crx
