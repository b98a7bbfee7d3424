#pragma once

#include "analysis/baseline/relaxation/dual_ascent.hh"
#include "analysis/baseline/schedule.hh"
#include "kernels/cpu/single.hh"

#include <vector>

namespace crx::sorted_lp {

struct RelaxationSettings
{
    double most_entries = 4e7;     ///< requests x starts x mean output up to which CLP is asked
    double most_work = 5e6;        ///< groups x starts / cell: the cell is chosen by it
    std::int64_t iterations = 800; ///< of the volume algorithm, half of them averaged; 2 at least
    std::int64_t pieces = 32;      ///< of each request, where CLP does not solve it
    double seconds = 1e9;          ///< for CLP; with time to spare results repeat exactly
};

/// WANG's Relax-LP (8)-(11), the LP relaxation of JAILLET (1)-(4): its value, or a bracket of it,
/// and the mean starts of a solution. Where CLP solves it, lower and upper are its optimum.
struct Relaxation
{
    double lower = 0, upper = 0; ///< the optimum of the program lies between, TEL in rounds
    bool solved = false;         ///< CLP proved `upper` optimal, up to its tolerance of 1e-7
    Rounds cell = 1;             ///< times that share a price where it was not solved
    Rounds opt_lower_bound = 0;  ///< on OPT, in exact integers
    /// y_i = sum_t t x_it. Equal requests are dealt the mass of their group in time order.
    std::vector<double> mean_start;

    double error() const { return (upper - lower) / lower; }
};

/// Raises the Lagrangian bound (baseline::ascend), then generates columns if the program is small
/// enough. Else time is coarsened: one price for `cell` times and starts at its multiples. Then
///  - `lower` is the exact Lagrangian bound of these prices over all starts, so it holds for the
///    program with no coarsening;
///  - `upper` is the value of a solution of that program, and `mean_start` is of that solution: the
///    requests by their averaged starts, list-scheduled in parts (split_schedule).
/// Throws std::domain_error where no schedule at hand has a TEL below 2^62. Contract: at least one
/// request, each fits; iterations >= 2.
Relaxation relax(OwnedInstance const& instance, RelaxationSettings const& settings = {});

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

/// A solution of the LP relaxation of JAILLET (1)-(4): each request in `pieces` equal parts, each
/// part with its own start.
struct SplitSchedule
{
    double value = 0;               ///< sum of mean start + o - a
    std::vector<double> mean_start; ///< of each request
};

/// List scheduling of the parts: the requests in the given order, each part as early as it fits
/// beside those before it. A part holds (s + j) / pieces, so in units of 1 / pieces these are whole
/// requests in a memory of pieces M, and memory is kept exactly at every time. More pieces pack
/// better. Contract: pieces >= 1, every request fits, `order` a permutation.
SplitSchedule split_schedule(OwnedInstance const& instance, std::vector<std::size_t> const& order,
                             std::int64_t pieces);

} // namespace crx::sorted_lp
