#pragma once

#include "analysis/baseline/relaxation/lagrangian.hh"
#include "analysis/baseline/time_limit.hh"

#include <memory>

namespace crx::baseline {

/// The LP relaxation of JAILLET (1)-(4) with starts 0 .. last_start, solved by COIN-OR CLP. Equal
/// requests share their variables: x[g][k] says how many of group g start in round k, so a program
/// has a column for each kind of request. Cliques may be added as further rows.
class TimeIndexedLp
{
  public:
    /// Contract: last_start >= every arrival.
    TimeIndexedLp(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                  Rounds last_start);
    ~TimeIndexedLp();
    TimeIndexedLp(TimeIndexedLp const&) = delete;
    TimeIndexedLp& operator=(TimeIndexedLp const&) = delete;

    /// Solves, from where the last solution was. False: CLP stopped at the limit or is unsure.
    bool solve(TimeLimit const& limit);
    /// Has the program just solved no solution, as no schedule ends its starts by last_start?
    bool infeasible() const;
    /// Adds sum over members of x <= 1 for each.
    void add_cliques(std::vector<Clique> const& cliques);
    /// Drops the rows of cliques that are slack and have no price. Returns how many are left.
    std::size_t drop_slack_cliques();
    /// x[g][k] = 0 from now on.
    void remove_column(std::size_t group, Rounds k);

    Rounds last_start() const;
    std::size_t cliques() const;
    /// The optimum, as a double: sum of k + o - a, rounds.
    double value() const;
    double column_value(std::size_t group, Rounds k) const;
    double reduced_cost(std::size_t group, Rounds k) const;
    /// The row prices, rounded to 2^-20 rounds and made >= 0: input to Lagrangian.
    Prices prices() const;
    /// Multiplier of "every request of the group starts once", in rounds.
    double assignment_price(std::size_t group) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The bound `lp` (docs/model.md#relaxation).
struct LpBound
{
    double value = 0;       ///< as the solver gives it
    Rounds lower_bound = 0; ///< on OPT, in exact integers from the same multipliers
    Rounds last_start = 0;  ///< horizon used
    bool solved = false;    ///< false: stopped early; lower_bound holds, value is not the optimum
    bool horizon_valid = true; ///< no later start would lower the value
    /// Mean start of each request, sum_t t x_it: equal requests are dealt the mass of their group
    /// in time order (docs/model.md#sorted-lp). Empty unless solved.
    std::vector<double> mean_start;
};

/// Solves the relaxation. Starts with the horizon `last_start`, which is valid if no assignment
/// price is above last_start + 1 (then no later start has a negative reduced cost) and is doubled
/// if not.
LpBound lp_bound(OwnedInstance const& instance, Rounds last_start, TimeLimit const& limit);

} // namespace crx::baseline
