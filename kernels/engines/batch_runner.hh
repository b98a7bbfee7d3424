#pragma once

#include "kernels/model/instance_range.hh"
#include "kernels/model/outcome.cuh"
#include "kernels/model/requests.cuh"

#include <optional>

namespace crx {

class LazyInstances;

/// Runs one policy on instances of one workload, on one thread of the CPU, as one row of the
/// registry does it. Takes its memory when it is made and from LazyInstances::scratch(), none for
/// an instance; given-order alone allocates for each, as the orders do.
class BatchRunner
{
  public:
    explicit BatchRunner(int instances = 1) : instances_(instances) {}
    virtual ~BatchRunner() = default;

    /// How many it takes at a time on this processor: at most Engine::instances.
    int instances() const { return instances_; }

    /// outcomes[k]: of instance range.first + k; nothing: this engine does not take that instance.
    ///
    /// A portable row follows `log`: it writes what is asked for (by cohorts on_event alone, as
    /// requests have no names there), and asks log.abandon now and then, after whose answer true
    /// the outcomes mean nothing. The other rows need not look at it, as their instances end
    /// within a second. Contract: 1 <= range.count <= instances(); a cell's ranges ascend.
    virtual void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const& log,
                         std::optional<Outcome>* outcomes) = 0;

    /// The volume bound of the k-th instance run last, where the engine makes it on the way.
    virtual std::optional<std::int64_t> volume(std::int64_t) const { return std::nullopt; }

  private:
    int instances_;
};

} // namespace crx
