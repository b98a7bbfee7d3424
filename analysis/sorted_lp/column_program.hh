#pragma once

#include "analysis/baseline/relaxation/dual_ascent.hh"
#include "analysis/baseline/schedule.hh"

namespace crx::sorted_lp {

using baseline::Ascent;
using baseline::FractionalStart;
using baseline::RequestGroup;
using baseline::Starts;

/// The optimum of the LP relaxation of JAILLET (1)-(4) over starts 0 .. starts - 1.
struct ColumnProgram
{
    bool solved = false;       ///< false: stopped at the time limit or the solver is unsure
    bool horizon_valid = true; ///< no later start would lower the value
    double value = 0;          ///< as the solver gives it
    Rounds lower_bound = 0;    ///< on OPT, in exact integers from the same multipliers
    std::vector<std::vector<FractionalStart>> schedule; ///< [group]: a solution
    std::size_t columns = 0, rounds = 0;
};

/// Solves it by columns generated as they are needed (Dantzig and Wolfe 1960), each round's program
/// by COIN-OR CLP: first the cheapest starts under given prices, those of its fractional schedule,
/// if it has one, and those of `known`, a schedule, so that a solution exists; then, for each
/// group, the starts of least reduced cost below 0, until there are none. All starts are priced in
/// each round, so at the end the value is that of the whole program. Contract: every start of
/// `known` is below `starts`.
ColumnProgram solve_by_columns(OwnedInstance const& instance,
                               std::vector<RequestGroup> const& groups, Rounds starts,
                               Ascent const& first, Starts const& known, double seconds);

} // namespace crx::sorted_lp
