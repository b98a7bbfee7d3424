#pragma once

#include "kernels/cohort/cohort.hh"
#include "kernels/cohort/upper_lanes.hh"
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

    /// These instances come next, in ascending order: a-max may be run for several at once, where
    /// every policy of the cell is run by cohorts.
    void expect(InstanceRange instances) { expected_ = instances; }

    /// Counts of an instance whose requests are never written down.
    void draw_counts(std::int64_t instance);
    /// Counts of an instance that was generated request by request.
    void count(std::span<std::int32_t const> outputs);

    /// The instance last drawn or counted under one policy.
    Outcome execute(PolicySpec const& spec, std::int64_t instance, ScheduleLog const& log = {});
    /// Its volume bound.
    std::int64_t volume();

  private:
    /// a-max of an expected instance; null: run it alone.
    Outcome const* side_by_side(std::int64_t instance);

    WorkloadView workload_;
    bool any_;
    std::vector<std::int64_t> counts_; ///< of each output length of the workload
    std::unique_ptr<std::byte[]> block_;
    std::size_t bytes_ = 0;
    std::unique_ptr<UpperLanes> upper_;      ///< null: no instances side by side
    std::vector<std::int64_t> upper_counts_; ///< of each output length, instance by instance
    InstanceRange expected_, upper_has_;
};

} // namespace crx
