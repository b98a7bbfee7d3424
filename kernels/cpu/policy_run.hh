#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/lazy_instances.hh"

namespace crx {

/// One thread's denominators of a cell's instances (BaselineKind).
class Denominators
{
  public:
    /// The cell must outlive it.
    explicit Denominators(Cell const& cell);

    /// Scratch memory that it needs.
    static std::size_t scratch_bytes(Cell const& cell);

    /// Writes value[k] for the kinds that the cell wants. `shortest_first`: the instance under
    /// mc-sf; null where neither h-sf nor mc-sf is wanted. `volume`: its volume bound, if that is
    /// known already. Means nothing once log.abort_asked said true.
    void compute(std::int64_t instance, Outcome const* shortest_first,
                 std::optional<std::int64_t> volume, LazyInstances& instances,
                 ScheduleLog const& log, std::int64_t* value);

  private:
    std::int64_t volume_by_counts(std::int64_t instance, LazyInstances& instances);

    Cell const& cell_;
    WorkloadView workload_;
    std::optional<std::int64_t> volume_; ///< once known, if all instances have the same counts
};

/// One thread's runs of one policy, instance by instance in ascending order. A batch is run when
/// its first instance is asked for; what an engine does not take goes to the next of the chain.
class PolicyRun
{
  public:
    explicit PolicyRun(PolicyEngines const& engines);

    /// Of `instance`; others before `end` may be run with it. Means nothing once log.abort_asked
    /// said true. Valid until an instance outside of the batch is asked for.
    Outcome const& execute(std::int64_t instance, std::int64_t end, LazyInstances& instances,
                           ScheduleLog const& log);

    /// The volume bound of the instance run last, if its engine made it on the way.
    std::optional<std::int64_t> volume(std::int64_t instance) const;

  private:
    struct Step
    {
        Engine const* engine;
        std::unique_ptr<BatchRunner> runner;
        std::vector<std::optional<Outcome>> outcomes;
        InstanceRange has = {};                  ///< those run last
        std::int64_t accepted = 0, rejected = 0; ///< instances, of all that were run

        bool holds(std::int64_t instance) const
        {
            return instance >= has.first && instance < has.first + has.count;
        }
        /// Whether it rejects so many that asking it costs more than it saves.
        bool disabled() const { return rejected > accepted + runner->instances(); }
        void run(InstanceRange range, LazyInstances& instances, ScheduleLog const& log);
    };

    std::vector<Step> steps_;
    Outcome aborted_outcome_; ///< of an instance that was aborted
};

/// What runs and denominators of a cell need on a thread.
LazyInstances::Capacity capacity_for(Cell const& cell, CellEngines const& engines);

/// How many instances a thread takes at first: a whole batch, but one alone where a policy that is
/// run by cohorts has no batches, as its instances may take a second each.
int first_block(CellEngines const& engines);

/// The most instances that an engine of the cell takes at a time.
int widest_batch(CellEngines const& engines);

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
