#pragma once

#include "kernels/backends/cell_engines.hh"
#include "kernels/engines/lazy_instances.hh"

namespace crx {

/// One thread's runs of one policy, instance by instance in ascending order. A batch is run when
/// its first instance is asked for; what an engine does not take goes to the next of the chain.
class PolicyRun
{
  public:
    explicit PolicyRun(PolicyEngines const& engines);

    /// Of `instance`; others before `end` may be run with it. Means nothing once log.abandon said
    /// true. Valid until an instance outside of the batch is asked for.
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
        InstanceRange has = {};             ///< those run last
        std::int64_t taken = 0, missed = 0; ///< instances, of all that were run

        bool holds(std::int64_t instance) const
        {
            return instance >= has.first && instance < has.first + has.count;
        }
        /// Whether so few are taken that it is not worth while.
        bool given_up() const { return missed > taken + runner->instances(); }
        void run(InstanceRange range, LazyInstances& instances, ScheduleLog const& log);
    };

    std::vector<Step> steps_;
    Outcome nothing_; ///< of an instance that was abandoned
};

/// The room that runs and denominators of a cell need on a thread.
LazyInstances::Room room_for(Cell const& cell, CellEngines const& engines);

/// How many instances a thread takes at first: a whole batch, but one alone where a policy that is
/// run by cohorts has no batches, as its instances may take a second each.
int first_block(CellEngines const& engines);

/// The most instances that an engine of the cell takes at a time.
int widest_batch(CellEngines const& engines);

} // namespace crx
