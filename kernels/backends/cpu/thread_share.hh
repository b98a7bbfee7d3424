#pragma once

#include "kernels/backends/cpu/denominators.hh"
#include "kernels/backends/cpu/policy_run.hh"
#include "kernels/model/tally/bin_counts.hh"

namespace crx {

/// One thread's share of a launch: what it runs, and what it has counted so far. An instance
/// allocates nothing, unless a policy orders offline or a baseline is the host's.
class ThreadShare
{
  public:
    /// All must outlive it.
    ThreadShare(Cell const& cell, CellEngines const& engines, HostGenerator const& generator,
                LaunchWatch& watch);
    ThreadShare(ThreadShare const&) = delete;
    ThreadShare& operator=(ThreadShare const&) = delete;

    /// Runs a block and counts it; returns how many of its first instances were counted before one
    /// was given up.
    std::int64_t execute(InstanceRange block);

    void add_to(Tally& tally) const;

  private:
    /// What is counted of one policy.
    struct Counts
    {
        PolicySums sums;
        BinCounts histogram[baseline_kinds];
    };

    /// False if it was abandoned, and then nothing is counted. Others up to `end` may be run with
    /// it.
    bool execute(std::int64_t instance, std::int64_t end);
    void count(std::int64_t instance, std::int64_t const* baselines);

    Cell const& cell_;
    CellEngines const& engines_;
    LaunchWatch& watch_;
    LazyInstances instances_;
    std::vector<PolicyRun> runs_;
    Denominators denominators_;
    std::vector<Outcome const*> outcomes_; ///< of the runs, on one instance
    std::vector<Counts> counts_;           ///< of the policies
    ScheduleLog log_;                      ///< asks the watch
    bool abandoned_ = false;               ///< and this was its answer
};

} // namespace crx
