#pragma once

#include "kernels/base/host_device.cuh"

#ifdef __CUDACC__
#define CRX_UNROLL_SLOTS _Pragma("unroll")
#else
#define CRX_UNROLL_SLOTS _Pragma("GCC unroll 8")
#endif

namespace crx::mc_sf_batch {

/// ListSchedule (kernels/engines/list_schedule/list_schedule.cuh) with outputs ascending and at
/// most eight different ends to come at a time: they lie in registers, and nothing is decided by a
/// branch. One body serves a vector, with an instance in each lane, and a number, with an instance
/// in each thread of a card.
///
/// Kind: Number, signed integers at least 16 bits wide; Unsigned, the same without sign; sign, the
/// place of the sign bit. Contract: M + twice the sum of outputs is below 2^sign.
template <class Kind>
class ShortSchedule
{
  public:
    using Number = typename Kind::Number; // a parameter would lose a vector's alignment
    using Unsigned = typename Kind::Unsigned;

    /// Zero and one in every lane.
    CRX_HD ShortSchedule(Number const& zero, Number const& one)
        : t(zero), peak(zero), lost(zero), events(one) // round 0, in which the first starts
    {
        CRX_UNROLL_SLOTS
        for (int i = 0; i < slots; ++i) end[i] = load[i] = zero - one; // before time 0
    }

    /// Starts the next request, (s, o); excess = s - M. Returns its completion time.
    CRX_HD Number start(Number const& s, Number const& o, Number const& excess)
    {
        auto bound = t;
        CRX_UNROLL_SLOTS
        for (int i = 0; i < slots; ++i) bound = larger(bound, smaller(end[i], load[i] + excess));
        Number const later = negative(t - bound);
        t = bound;
        auto nearest = ~Unsigned{}; // 0: something ends in round t
        CRX_UNROLL_SLOTS
        for (int i = 0; i < slots; ++i) {
            Number const past = t - end[i]; // negative: it is to come
            nearest = smaller(Unsigned(past), nearest);
            load[i] += negative(past) & (s - past);
        }
        events -= later & not_zero(Number(nearest)); // a start in a round of its own
        Number const own_end = t + o;
        Number const fresh = not_zero(end[slots - 1] - own_end);
        lost |= negative(t - end[0]) & fresh;
        peak = larger(peak, load[0] - end[0]); // what is held at an end only grows
        CRX_UNROLL_SLOTS
        for (int i = 0; i + 1 < slots; ++i) {
            end[i] = select(fresh, end[i + 1], end[i]);
            load[i] = select(fresh, load[i + 1], load[i]);
        }
        end[slots - 1] = own_end;
        load[slots - 1] = select(fresh, own_end + (s + o), load[slots - 1]);
        events -= fresh; // an end of its own
        return own_end;
    }

    CRX_HD Number makespan() const { return end[slots - 1]; }
    CRX_HD Number peak_memory() const
    {
        auto most = peak;
        CRX_UNROLL_SLOTS
        for (int i = 0; i < slots; ++i) most = larger(most, load[i] - end[i]);
        return most;
    }
    /// Rounds in which something starts or ends.
    CRX_HD Number event_rounds() const { return events; }
    /// Not 0: there were more ends at a time, and nothing is known of this instance.
    CRX_HD Number lost_track() const { return lost; }

  private:
    static constexpr int slots = 8;

    CRX_HD static Number larger(Number const& a, Number const& b) { return a > b ? a : b; }
    CRX_HD static Number smaller(Number const& a, Number const& b) { return a < b ? a : b; }
    CRX_HD static Unsigned smaller(Unsigned const& a, Unsigned const& b) { return a < b ? a : b; }
    // Masks are made by arithmetic: of comparisons as values GCC makes code lane by lane.
    CRX_HD static Number negative(Number const& v) { return v >> Kind::sign; }
    CRX_HD static Number not_zero(Number const& v) { return (v | -v) >> Kind::sign; }
    CRX_HD static Number select(Number const& mask, Number const& yes, Number const& no)
    {
        return no ^ ((yes ^ no) & mask);
    }

    // As in ListSchedule: ends to come and what is held at each, plus its time; the latest is last.
    Number end[slots], load[slots];
    Number t, peak, lost, events;
};

} // namespace crx::mc_sf_batch
