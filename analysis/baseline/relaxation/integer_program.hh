#pragma once

#include "analysis/baseline/relaxation/lagrangian.hh"
#include "analysis/baseline/schedule.hh"

namespace crx::baseline {

struct IntegerProgramOutcome
{
    bool optimal = false;   ///< proven
    Rounds lower_bound = 0; ///< on OPT, as the solver reports it, rounded up with a margin of 1e-6
    Starts starts;          ///< the best schedule known: the given one if none better was found
    Rounds total_latency = 0;
};

/// JAILLET (1)-(4) solved by COIN-OR CBC; shares no search with branch_and_bound. The plain program
/// is hard for it; `cliques` (of clique_bound, groups as request_groups gives them) are rows that
/// every schedule keeps. `known` is a schedule. A request's last start follows from its TEL minus
/// the least the others can cost (volume bound if all arrive at 0, else the sum of outputs), so no
/// schedule better than `known` is cut off: its makespan alone would not be a safe horizon. Equal
/// requests share their variables.
IntegerProgramOutcome integer_program(OwnedInstance const& instance, Starts const& known,
                                      double seconds, std::vector<Clique> const& cliques = {});

} // namespace crx::baseline
