#pragma once

#include "kernels/cohort/cohort.hh"
#include "kernels/launch/cell.hh"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace crx {

/// One thread's memory for what a cell runs by cohorts: the counts of an instance and what an
/// engine needs, taken once. The cell must outlive it.
class CohortShare
{
  public:
    explicit CohortShare(Cell const& cell);

    /// Whether any policy of the cell is run by cohorts.
    bool any() const { return any_; }

    /// Counts of an instance whose requests are never written down.
    void draw_counts(std::int64_t instance);
    /// Counts of an instance that was generated request by request.
    void count(std::span<std::int32_t const> outputs);

    /// The instance last drawn or counted under one policy.
    Outcome execute(PolicySpec const& spec, std::int64_t instance, ScheduleLog const& log = {});
    /// Its volume bound.
    std::int64_t volume();

  private:
    WorkloadView workload_;
    bool any_;
    std::vector<std::int64_t> counts_; ///< of each output length of the workload
    std::unique_ptr<std::byte[]> block_;
    std::size_t bytes_ = 0;
};

} // namespace crx
