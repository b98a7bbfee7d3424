#pragma once

#include "kernels/simd/in_lanes.hh"

namespace crx::mc_sf_batch {

/// ListSchedule (kernels/engines/list_schedule/list_schedule.cuh) with outputs ascending and at
/// most eight different ends to come at a time: they lie in registers, and nothing is decided by a
/// branch. One body serves a vector (kernels/simd/lanes.hh), with an instance in each lane, and
/// OneLane, with an instance in each thread of a GPU.
///
/// Contract: M + twice the sum of outputs is below the largest number of V.
template <class V>
class ShortSchedule
{
  public:
    CRX_IN_LANES ShortSchedule()
        : t_(V::zero()), peak_(V::zero()), lost_(V::zero()),
          events_(V::all(1)) // round 0, in which the first starts
    {
        CRX_UNROLL
        for (int i = 0; i < slots; ++i) end_[i] = load_[i] = V::all(-1); // before time 0
    }

    /// Starts the next request, (s, o); excess = s - M. Returns its completion time.
    CRX_IN_LANES V start(V s, V o, V excess)
    {
        auto bound = t_;
        CRX_UNROLL
        for (int i = 0; i < slots; ++i) bound = larger(bound, smaller(end_[i], load_[i] + excess));
        auto const later = less(t_, bound);
        t_ = bound;
        auto nearest = V::all(-1); // the most, without sign; 0: something ends in round t
        CRX_UNROLL
        for (int i = 0; i < slots; ++i) {
            auto const past = t_ - end_[i];
            nearest = smaller_unsigned(nearest, past);
            load_[i] = add_where(less(t_, end_[i]), load_[i], s - past);
        }
        // A start in a round of its own.
        events_ = count_where(differ(later, nearest, V::zero()), events_);
        auto const own_end = t_ + o;
        auto const fresh = differ(end_[slots - 1], own_end); // an end of its own
        lost_ = choose(less(fresh, t_, end_[0]), V::all(1), lost_);
        peak_ = larger(peak_, load_[0] - end_[0]); // what is held at an end only grows
        CRX_UNROLL
        for (int i = 0; i + 1 < slots; ++i) {
            end_[i] = choose(fresh, end_[i + 1], end_[i]);
            load_[i] = choose(fresh, load_[i + 1], load_[i]);
        }
        end_[slots - 1] = own_end;
        load_[slots - 1] = choose(fresh, own_end + s + o, load_[slots - 1]);
        events_ = count_where(fresh, events_);
        return own_end;
    }

    CRX_IN_LANES V makespan() const { return end_[slots - 1]; }
    CRX_IN_LANES V peak_memory() const
    {
        auto most = peak_;
        CRX_UNROLL
        for (int i = 0; i < slots; ++i) most = larger(most, load_[i] - end_[i]);
        return most;
    }
    /// Rounds in which something starts or ends.
    CRX_IN_LANES V event_rounds() const { return events_; }
    /// Not 0: there were more ends at a time, and nothing is known of this instance.
    CRX_IN_LANES V lost_track() const { return lost_; }

  private:
    static constexpr int slots = 8;

    // As in ListSchedule: ends to come and what is held at each, plus its time; the latest is last.
    V end_[slots], load_[slots];
    V t_, peak_, lost_, events_;
};

} // namespace crx::mc_sf_batch
