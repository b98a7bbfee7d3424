#pragma once

#include "kernels/engines/cohorts/a_min_batch/columns.hh"
#include "kernels/policies/traits.cuh"

// CPU only, as wide_lanes.hh: included by engine.hh alone.

namespace crx {
namespace {

/// Who is admitted in round t, in the columns that are awake: as many as fit all rounds to come, by
/// rising working length (`taken` of the pools).
template <Outlived outlived>
class AMinBatchAdmission
{
  public:
    using Ints = wide::Ints;
    using Mask = wide::Mask;

    AMinBatchAdmission(AMinBatchColumns& columns, std::int32_t t, Mask const& awake)
        : c_(columns), t_(t)
    {
        auto const most = places_now(awake);
        if (wide::any(wide::not_zero(most))) {
            if (c_.memory < most_shared)
                take<true>(most);
            else
                take<false>(most);
        }
        c_.started = started_;
        c_.last_length = last_;
        c_.held += started_ * wide::all(c_.prompt);
        c_.active += started_;
        c_.waiting -= started_;
        c_.admitted += started_;
    }
    Ints const& started() const { return started_; }

  private:
    /// Those for whom there is memory now, of one token each.
    Ints places_now(Mask const& awake) const
    {
        auto most = wide::all(c_.memory);
        if constexpr (outlived == Outlived::counted) most -= c_.held + c_.active;
        auto const waits = wide::both(awake, wide::not_zero(c_.waiting));
        most = wide::only(waits, wide::larger(most, Ints{}));
        if (c_.prompt > 0)
            most =
                wide::to_ints(wide::to_floats(most) / wide::all(static_cast<float>(c_.prompt + 1)));
        return most;
    }

    /// By shares: without a division for each round that is looked at.
    template <bool by_shares>
    CRX_WIDE void take(Ints most)
    {
        auto heads = c_.planned_heads, left = wide::all(c_.memory) - c_.planned;
        // How many can start as far as the round is concerned in which they have e tokens.
        auto const fit = [&](std::int32_t e) {
            auto const memory = wide::to_floats(left);
            if constexpr (by_shares)
                most = wide::smaller(most, wide::to_ints(memory * wide::all(c_.share_at(e))));
            else
                most = wide::smaller(
                    most, wide::to_ints(memory / wide::all(static_cast<float>(c_.prompt + e))));
            auto const& end = c_.end_at(t_ + e);
            heads -= end.heads;
            left += end.tokens - heads;
        };
        for (std::int32_t e = 1; e < c_.lower; ++e) fit(e);
        for (auto e = c_.lower; e <= c_.upper; ++e) {
            fit(e);
            auto& pool = c_.pool[static_cast<std::size_t>(e)];
            auto const m = pool.taken = wide::smaller(most, pool.waiting);
            most -= m;
            started_ += m;
            last_ = wide::pick(wide::not_zero(m), wide::all(e), last_);
            if (!wide::any(wide::both(wide::not_zero(most), wide::greater(c_.waiting, started_))))
                break;
        }
    }

    AMinBatchColumns& c_;
    std::int32_t t_;
    Ints started_{}, last_{};
};

} // namespace
} // namespace crx
