#pragma once

#include "kernels/backends/cell.hh"
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
    /// known already. Means nothing once log.abandon said true.
    void compute(std::int64_t instance, Outcome const* shortest_first,
                 std::optional<std::int64_t> volume, LazyInstances& instances,
                 ScheduleLog const& log, std::int64_t* value);

  private:
    std::int64_t volume_by_counts(std::int64_t instance, LazyInstances& instances);

    Cell const& cell_;
    WorkloadView workload_;
    std::optional<std::int64_t> volume_; ///< once known, if all instances have the same counts
};

} // namespace crx
