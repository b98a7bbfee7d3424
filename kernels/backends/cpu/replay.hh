#pragma once

#include "kernels/backends/cpu/policy_run.hh"
#include "kernels/backends/cpu/single.hh"

namespace crx {

/// One instance of a cell with all detail that its engines have; the same integers as in a sweep.
class CellReplay
{
  public:
    /// The cell must outlive it.
    CellReplay(Cell const& cell, std::int64_t number);

    /// The run of one of the cell's policies. Where it was run by cohorts `start`, `completion` and
    /// `cancellations` are empty: requests are counted, not named.
    SingleRun execute(std::size_t policy);

    /// Contract: not all_by_cohorts(cell).
    OwnedInstance const& instance() const { return *instance_; }

  private:
    SingleRun execute_counts(std::size_t policy);

    Cell const& cell_;
    std::int64_t number_;
    std::optional<OwnedInstance> instance_; ///< unless all is run by cohorts
};

} // namespace crx
