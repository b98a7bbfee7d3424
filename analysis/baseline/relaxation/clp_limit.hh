#pragma once

#include "analysis/baseline/time_limit.hh"

#include <algorithm>
#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>

namespace crx::baseline {

/// Ends CLP's simplex method when someone asks; asked between factorizations, which are some
/// hundred iterations apart.
class StopHandler : public ClpEventHandler
{
  public:
    explicit StopHandler(TimeLimit limit) : limit_(std::move(limit)) {}
    int event(Event what) override
    {
        return what == endOfFactorization && limit_.over() ? 0 : -1; // 0: stop
    }
    ClpEventHandler* clone() const override { return new StopHandler(*this); }

  private:
    TimeLimit limit_;
};

/// Sets how long the next solution may take.
inline void set_limit(ClpSimplex& clp, TimeLimit const& limit)
{
    clp.setMaximumSeconds(std::max(limit.left(), 0.01));
    if (!limit.can_be_stopped()) return;
    StopHandler const handler(limit);
    clp.passInEventHandler(&handler); // which copies it
}

} // namespace crx::baseline
