#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// A_max: plans with the upper end of the prediction interval, so memory never overflows. Upper
/// ends ascending, ties in one uniformly random order (docs/random-choices.md). Source: CHEN,
/// Algorithm 1.
struct MaxLength : PolicyDefaults
{
    static constexpr PolicyKind kind = PolicyKind::a_max;
    static constexpr bool random_order = true;
    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.upper; }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.upper; }
};
static_assert(Policy<MaxLength>);

} // namespace crx
