#pragma once

#include "kernels/engines/cohorts/least_quotient.cuh"

namespace crx {
namespace {

/// What AMaxBatchEngine knows of cohorts and classes, in all lanes.
template <class Lanes, int most>
struct AMaxBatchState
{
    using Number = typename Lanes::Number;

    /// The requests of each lane that started in one round.
    struct Cohort
    {
        Number end;  ///< s plus the working end
        Number room; ///< memory left at the working end, before those that started in the last
                     ///< step; never: nobody is left
        Number count;
    };
    struct Class
    {
        Number lag;     ///< value - (s + u): age of the cohorts asked, counted from `end`
        Number without; ///< never where a lane has nobody of this class, else 0
        bool certain;   ///< in no lane anything is random: all that are left are of this class
    };

    /// What is next for each class. Locals of AMaxBatchEngine::run(), so that they can be in
    /// registers.
    struct Asked
    {
        Number last[most];          ///< `end` of the cohort that was asked last
        Number next[most];          ///< that of the next
        Number due[most];           ///< the round in which it is asked
        Number count[most];         ///< and its size
        Number found[most];         ///< requests that complete now
        LeastQuotient<Lanes> least; ///< of all places, or nearly so
        Number fit;                 ///< how many have room at all places

        /// `without`: never where a lane has none of a class: as if all had been asked about it.
        CRX_IN_LANES void open(Class const (&of)[most])
        {
            CRX_UNROLL
            for (int k = 0; k < most; ++k) {
                last[k] = k < most - 1 ? of[k].without : Number{};
                count[k] = found[k] = Number{};
                next[k] = due[k] = Lanes::all(Lanes::never);
            }
        }
    };
};

} // namespace
} // namespace crx
