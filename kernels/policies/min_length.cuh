#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// A_min: plans with the lower end and learns; on overflow it cancels the least working length
/// first and keeps the tokens generated as the new one. An active request that has outlived its
/// working length counts one more token in the check. Source: CHEN, Algorithm 2; SPEC section 10, 1
/// and 2.
struct MinLength : PolicyDefaults
{
    static constexpr PolicyKind kind = PolicyKind::a_min;
    static constexpr Choice choice = Choice::drawn;
    static constexpr Cancelling cancelling = Cancelling::on_overflow;
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.lower; }
    CRX_HD std::int32_t next_length(RequestView const&, std::int32_t e, std::int32_t g) const
    {
        return e > g ? e : g;
    }
};
static_assert(Policy<MinLength>);

/// The second reading of A_min: CHEN's (3) to the letter. An active request that has outlived its
/// working length weighs nothing in the check, so admission can overfill, and a second cancelling
/// pass follows it. Source: SPEC section 4, a-min-evict.
struct MinLengthEvict : MinLength
{
    static constexpr PolicyKind kind = PolicyKind::a_min_evict;
    static constexpr Outlived outlived = Outlived::weightless;
};
static_assert(Policy<MinLengthEvict>);

} // namespace crx
