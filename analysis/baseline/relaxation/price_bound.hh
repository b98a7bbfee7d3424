#pragma once

#include "analysis/baseline/relaxation/lagrangian.hh"

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

  private:
    std::vector<std::vector<char>> allowed_;
};

/// What prices say against a known schedule of TEL `upper`.
struct PriceBound
{
    Rounds lower_bound = 0; ///< on OPT, exact integers; = upper if no better schedule can exist
    Prices prices;          ///< that give it
    /// Starts that a schedule with TEL < upper can use: the bound with such a start fixed stays
    /// below `upper`. As many are looked at as any better schedule can reach; starts() = 0: too
    /// many to say, 2^25 entries of a table of groups and starts and more.
    StartDomain domain;
};

/// Contract: `starts` above every arrival.
PriceBound price_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       Rounds upper, Prices const& prices, Rounds starts);

} // namespace crx::baseline
