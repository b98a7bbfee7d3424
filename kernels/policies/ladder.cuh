#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// A_l, "promote-l": tries every request for l tokens, puts those that are not done at the end of
/// the queue and then plans with u. Source: CHEN, Algorithm 6; docs/model.md#a-ell.
struct PromoteLower : PolicyDefaults
{
    static constexpr PolicyKind kind{7};
    static constexpr char const* id = "a-ell";
    static constexpr char const* summary = "tries l tokens, then plans with u";
    static constexpr bool knows_lengths = false, plans_with_upper = true;
    static constexpr CohortForm cohort_form = CohortForm::hidden_lengths;
    static constexpr Choice choice = Choice::queued;
    static constexpr Cancelling cancelling = Cancelling::at_working_length;
    static constexpr bool random_order = true;
    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.arrival; }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.lower; }
    CRX_HD std::int32_t next_length(RequestView const& r, std::int32_t, std::int32_t) const
    {
        return r.upper;
    }
    /// Most often that a request begins.
    CRX_HD std::int64_t most_begins(std::int32_t) const { return 2; }
};
static_assert(Policy<PromoteLower>);

/// Probes with rising lengths: a request that is not done at its level is cancelled and gets the
/// next. Levels below l are skipped and all are cut to u, so any interval can climb any ladder.
/// Source: docs/model.md#a-ladder.
struct Ladder : PolicyDefaults
{
    static constexpr PolicyKind kind{8};
    static constexpr char const* id = "a-ladder";
    static constexpr char const* summary = "tries rising levels up to u";
    static constexpr bool knows_lengths = false, plans_with_upper = true;
    static constexpr CohortForm cohort_form = CohortForm::hidden_lengths;
    static constexpr Choice choice = Choice::drawn;
    static constexpr Cancelling cancelling = Cancelling::at_working_length;

    LadderLevels levels;

    CRX_HD std::int32_t first_length(RequestView const& r) const
    {
        return least_level(r.lower, r.upper);
    }
    CRX_HD std::int32_t next_length(RequestView const& r, std::int32_t e, std::int32_t) const
    {
        return least_level(e + 1, r.upper);
    }
    /// A request begins at most once at each level, and at u where the levels end below it.
    CRX_HD std::int64_t most_begins(std::int32_t upper) const
    {
        bool const ends_there = levels.count > 0 && levels.level[levels.count - 1] >= upper;
        return levels.count + (ends_there ? 0 : 1);
    }

  private:
    CRX_HD std::int32_t least_level(std::int32_t floor, std::int32_t upper) const
    {
        for (std::int32_t k = 0; k < levels.count; ++k)
            if (levels.level[k] >= floor) return levels.level[k] < upper ? levels.level[k] : upper;
        return upper;
    }
};
static_assert(Policy<Ladder>);

} // namespace crx
