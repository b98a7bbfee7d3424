#pragma once

#include "analysis/baseline/relaxation/dual_ascent.hh"

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

} // namespace crx::sorted_lp
