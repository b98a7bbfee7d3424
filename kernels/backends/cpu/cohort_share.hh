#pragma once

#include "kernels/backends/cell.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/engines/cohorts/instance_batch.hh"

#include <cstddef>
#include <memory>
#include <optional>
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

    /// These instances come next, in ascending order: policies may be run for several at once,
    /// where every policy of the cell is run by cohorts.
    void expect(InstanceRange instances) { expected_ = instances; }
    /// How many it may be, if every policy of the cell can; else 1.
    int lanes() const { return static_cast<int>(lanes_); }

    /// Counts of an instance whose requests are never written down.
    void draw_counts(std::int64_t instance);
    /// Counts of an instance that was generated request by request.
    void count(std::span<std::int32_t const> outputs);

    /// The instance last drawn or counted under one policy.
    Outcome execute(PolicySpec const& spec, std::int64_t instance, ScheduleLog const& log = {});
    /// Its volume bound.
    std::int64_t volume();

  private:
    /// A policy that is run for several instances at once.
    struct Group
    {
        PolicyKind kind;
        std::unique_ptr<InstanceBatch> lanes;
        InstanceRange has; ///< those that were run last
    };

    /// Null: the policy is run alone.
    std::unique_ptr<InstanceBatch> lanes_for(PolicySpec const& spec) const;
    void open_groups(Cell const& cell);
    /// Counts of all of these instances, drawn for the `most` from the first on.
    std::int64_t const* counts_of(InstanceRange range, std::int64_t most);
    /// An expected instance under the group's policy; null: run it alone.
    Outcome const* side_by_side(Group& group, std::int64_t instance);

    WorkloadView workload_;
    bool any_;
    std::vector<std::int64_t> counts_; ///< of each output length of the workload
    std::unique_ptr<std::byte[]> block_;
    std::size_t bytes_ = 0;
    std::optional<std::int64_t> volume_; ///< once known, if all instances have the same counts
    std::vector<Group> groups_;
    std::vector<std::int64_t> group_counts_;   ///< of each output length, instance by instance
    std::int64_t lanes_ = 1, group_lanes_ = 1; ///< group_counts_ is for so many instances
    InstanceRange expected_, drawn_;           ///< those that come next; whose group_counts_ are
};

} // namespace crx
