#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// A_max: plans with the upper end of the prediction interval, so memory never overflows. Upper
/// ends ascending, ties in one uniformly random order (docs/random-choices.md). Source: CHEN,
/// Algorithm 1.
struct MaxLength : PolicyDefaults
{
    static constexpr PolicyKind kind{4};
    static constexpr char const* id = "a-max";
    static constexpr char const* summary = "plans with the upper end u, never cancels";
    static constexpr bool knows_lengths = false, plans_with_upper = true;
    static constexpr LikeShortestFirst like_shortest_first =
        LikeShortestFirst::with_one_prompt_and_lengths_told;
    static constexpr CohortForm cohort_form = CohortForm::hidden_lengths;
    static constexpr bool random_order = true;
    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.upper; }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.upper; }
};
static_assert(Policy<MaxLength>);

} // namespace crx
