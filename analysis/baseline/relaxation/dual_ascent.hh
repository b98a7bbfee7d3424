#pragma once

#include "analysis/baseline/relaxation/lagrangian.hh"
#include "analysis/baseline/time_limit.hh"

namespace crx::baseline {

struct AscentSettings
{
    Rounds starts = 0; ///< starts 0 .. starts - 1 are looked at
    Rounds cell = 1;   ///< one memory price a cell of so many times, starts at its multiples
    std::int32_t peak_families = 0; ///< PeakRows for k = 1 .. this
    Rounds upper = INT64_MAX;       ///< TEL of a known schedule: steps do not aim above it
    std::int64_t iterations = 2000;
    std::int64_t averages = 0; ///< further iterations, whose starts make the fractional schedule
    /// Above 0: steps aim at this part of the way to `upper` where 2 % above is less, and from no
    /// prices where these bound more than the first ones.
    double reach = 0;
    TimeLimit limit = 1e9; ///< whichever ends first; only `iterations` repeats exactly
};

/// A part of a group that starts in one round, in a fractional schedule.
struct FractionalStart
{
    Rounds start = 0;
    double part = 0; ///< of the group; the parts of a group sum to 1
};

struct Ascent
{
    Prices prices;    ///< for Lagrangian, which gives the exact bound
    double value = 0; ///< that they give over the starts looked at, in doubles
    std::vector<std::vector<FractionalStart>>
        schedule; ///< [group], ascending by start; empty without `averages`
    std::int64_t iterations = 0;
};

/// Raises the Lagrangian bound of JAILLET (1)-(4), with peak rows if asked for, by the volume
/// algorithm (Barahona and Anbil 2000, doi:10.1007/s101070050002): subgradient steps along averaged
/// slacks. Starts averaged over further, plain steps tend to a solution of the linear program.
/// Costs groups x starts / cell an iteration and needs no matrix, so it goes where a simplex method
/// does not.
///
/// The first prices are usually those of a fluid machine that works M tokens a round in ascending
/// order of volume: as many rounds for M tokens at t as requests are left then.
Ascent ascend(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
              AscentSettings const& settings);

} // namespace crx::baseline
