#pragma once

#include "kernels/engines/cohorts/a_min_batch/columns.hh"
#include "kernels/policies/traits.cuh"

// For sources *_simd.cc.

namespace crx {
namespace {

/// Who is admitted in round t, in the columns that are awake: as many as fit all rounds to come, by
/// rising working length (`taken` of the pools).
template <Outlived outlived>
class AMinBatchAdmission
{
  public:
    using Mask = LaneMask<std::int32_t>;

    AMinBatchAdmission(AMinBatchColumns& columns, std::int32_t t, Mask const& awake)
        : c_(columns), t_(t)
    {
        auto const most = places_now(awake);
        if (any(not_zero(most))) take(most);
        c_.started = started_;
        c_.last_length = last_;
        c_.held += started_ * Ints::all(c_.prompt);
        c_.active += started_;
        c_.waiting -= started_;
        c_.admitted += started_;
    }
    Ints const& started() const { return started_; }

  private:
    /// Those for which there is memory now, of one token each.
    Ints places_now(Mask const& awake) const
    {
        auto most = Ints::all(c_.memory);
        if constexpr (outlived == Outlived::counted) most -= c_.held + c_.active;
        auto const waits = awake & not_zero(c_.waiting);
        most = or_zero(waits, larger(most, Ints{}));
        if (c_.prompt > 0)
            most = to_integers(to_numbers(most) /
                               Lanes<float>::all(static_cast<float>(c_.prompt + 1)));
        return most;
    }

    CRX_IN_LANES void take(Ints most)
    {
        auto heads = c_.planned_heads, left = Ints::all(c_.memory) - c_.planned;
        // How many can start as far as the round is concerned in which they have e tokens.
        auto const fit = [&](std::int32_t e) {
            auto const each = Lanes<float>::all(static_cast<float>(c_.prompt + e));
            most = smaller(most, to_integers(to_numbers(left) / each));
            auto const& end = c_.end_at(t_ + e);
            heads -= end.heads;
            left += end.tokens - heads;
        };
        for (std::int32_t e = 1; e < c_.lower; ++e) fit(e);
        for (auto e = c_.lower; e <= c_.upper; ++e) {
            fit(e);
            auto& pool = c_.pool[static_cast<std::size_t>(e)];
            auto const m = pool.taken = smaller(most, pool.waiting);
            most -= m;
            started_ += m;
            last_ = choose(not_zero(m), Ints::all(e), last_);
            if (!any(not_zero(most) & more(c_.waiting, started_))) break;
        }
    }

    AMinBatchColumns& c_;
    std::int32_t t_;
    Ints started_{}, last_{};
};

} // namespace
} // namespace crx
