#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// A_min: plans with the lower end and learns; on overflow it cancels the least working length
/// first, and the tokens generated, or one more (`learns`), are the least of the new one. An active
/// request that has outlived its working length counts one more token in the check. Source: CHEN,
/// Algorithm 2; docs/errata.md#chen-algorithm-2.
struct MinLength : PolicyDefaults
{
    static constexpr PolicyKind kind{5};
    static constexpr char const* id = "a-min";
    static constexpr char const* summary = "plans with the lower end l, learns by cancelling";
    static constexpr bool knows_lengths = false;
    static constexpr LikeShortestFirst like_shortest_first =
        LikeShortestFirst::with_one_prompt_and_lengths_told;
    static constexpr CohortForm cohort_form = CohortForm::learned_lengths;
    static constexpr Choice choice = Choice::drawn;
    static constexpr Cancelling cancelling = Cancelling::on_overflow;

    Learns learns = Learns::reached;
    Evicts evicts = Evicts::least_bound;

    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.lower; }
    CRX_HD std::int32_t next_length(RequestView const&, std::int32_t e, std::int32_t g) const
    {
        auto const learnt = g + (learns == Learns::exceeded ? 1 : 0);
        return e > learnt ? e : learnt;
    }
};
static_assert(Policy<MinLength>);

/// The second reading of A_min: CHEN's (3) to the letter. An active request that has outlived its
/// working length weighs nothing in the check, so admission can overfill, and a second cancelling
/// pass follows it. Source: docs/model.md#a-min-evict.
struct MinLengthEvict : MinLength
{
    static constexpr PolicyKind kind{6};
    static constexpr char const* id = "a-min-evict";
    static constexpr char const* summary = "a-min with outlived requests weightless";
    /// The curves of A_min speak of both its readings.
    static constexpr PolicyKind curves_of = MinLength::kind;
    static constexpr Outlived outlived = Outlived::weightless;
};
static_assert(Policy<MinLengthEvict>);

} // namespace crx
