#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// MC-SF: knows true lengths, shortest output first. With all arrivals at 0 it is CHEN's H-SF.
/// Source: JAILLET, Algorithm 1.
struct ShortestFirst : PolicyDefaults
{
    static constexpr PolicyKind kind{0};
    static constexpr char const* id = "mc-sf";
    static constexpr char const* summary = "shortest output first, true lengths (H-SF)";
    static constexpr LikeShortestFirst like_shortest_first = LikeShortestFirst::always;
    static constexpr CohortForm cohort_form = CohortForm::shortest_first;
    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.output; }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.output; }
};
static_assert(Policy<ShortestFirst>);

/// Knows true lengths, shortest total (prompt and output) first. Source: WANG, Theorem EC.1.
struct ShortestTotalFirst : PolicyDefaults
{
    static constexpr PolicyKind kind{1};
    static constexpr char const* id = "mc-sf-total";
    static constexpr char const* summary = "shortest prompt + output first, true lengths";
    static constexpr LikeShortestFirst like_shortest_first = LikeShortestFirst::with_one_prompt;
    static constexpr CohortForm cohort_form = CohortForm::shortest_first;
    CRX_HD std::int64_t rank_key(RequestView const& r) const
    {
        return std::int64_t{r.prompt} + r.output;
    }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.output; }
};
static_assert(Policy<ShortestTotalFirst>);

} // namespace crx
