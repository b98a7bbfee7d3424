#pragma once

#include "analysis/baseline/relaxation/time_indexed_lp.hh"

namespace crx::baseline {

/// Which starts a schedule better than the best known can still use.
class StartDomain
{
  public:
    StartDomain(std::vector<RequestGroup> const& groups, Rounds starts);
    bool allows(std::size_t group, Rounds k) const
    {
        return k < static_cast<Rounds>(allowed_[group].size()) && allowed_[group][k] != 0;
    }
    void remove(std::size_t group, Rounds k) { allowed_[group][k] = 0; }
    /// 0: nothing is said.
    Rounds starts() const { return static_cast<Rounds>(allowed_[0].size()); }
    /// Starts up to `starts` - 1 in all, the new ones allowed.
    void extend(Rounds starts)
    {
        for (auto& group : allowed_) group.resize(static_cast<std::size_t>(starts), char{1});
    }
    std::int64_t size() const;

  private:
    std::vector<std::vector<char>> allowed_;
};

/// Cliques of starts that the LP's solution breaks, the most broken first; each extended by every
/// start that conflicts with all of its members, cheapest reduced cost first.
///
/// Why they hold: two starts of different requests that conflict (starts_conflict) cannot both be
/// used, nor can two starts of one request; so at most one of a set in which every two exclude each
/// other. Memory rows alone allow halves of starts that no schedule can combine: a request that
/// peaks above M/2 keeps others from starting for about 2 (s + o) - M rounds, of which the rows see
/// little more than its own memory. A group of several equal requests takes part only with starts
/// two of which conflict.
std::vector<Clique> broken_cliques(TimeIndexedLp const& lp, std::vector<RequestGroup> const& groups,
                                   Tokens memory, StartDomain const& domain, std::size_t most);

/// Entries of a table of all groups and starts, up to which a domain is made: 2^25 costs of a start
/// take 256 MiB.
constexpr std::int64_t most_domain_entries = std::int64_t{1} << 25;

struct CliqueBound
{
    Rounds lower_bound = 0; ///< on OPT, exact integers; = upper if no better schedule can exist
    Prices prices;          ///< that give it
    StartDomain
        domain; ///< starts that a schedule with TEL < upper can use; starts() = 0: too many to say
    double value = 0; ///< of the last program, as the solver gives it
    std::size_t cliques = 0, rounds = 0;
};

/// The LP relaxation with clique inequalities, added in rounds until none is broken, the bound
/// meets `upper`, progress ends or time does. `upper`: TEL of a known schedule. Starts that the
/// exact bound rules out for any better schedule are dropped on the way, so the result says: OPT >=
/// lower_bound, and a schedule with TEL < upper uses starts of `domain` only.
///
/// Contract: a schedule with starts up to `last_start` exists; one of TEL `upper` will do. Without
/// one the program has no solution and the bound is what the requests need alone, the sum of o. If
/// so many starts stay possible that no table can hold them, `domain.starts()` is 0 and says
/// nothing.
CliqueBound clique_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                         Rounds upper, Rounds last_start, TimeLimit const& limit);

} // namespace crx::baseline
