#pragma once

#include "host/sweep/backend.hh"
#include "host/sweep/cell_queue.hh"

namespace crx {

/// Workers in other processes, which run chunks beside the threads of this one.
class RemoteWorkers
{
  public:
    /// Where chunks come from and sums go to.
    struct Desk
    {
        std::function<std::optional<Job>()> next; ///< nothing: none at the moment
        std::function<PlannedCell const&(Job const&)> cell_of;
        std::function<void(Job const&, ChunkResult const&, double seconds)> keep;
        std::function<void(Job const&, std::string const& failure)> fail;
        std::function<bool()> is_ending; ///< a signal or a failure: no chunk is to begin
        std::function<bool()> is_done;   ///< no chunk is left, and none runs anywhere
    };

    virtual ~RemoteWorkers() = default;
    /// Deals chunks until none is left, or the run is ending and all that were dealt are back.
    virtual void work(Desk const& desk) = 0;
};

} // namespace crx
