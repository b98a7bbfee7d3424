#pragma once

#include "kernels/engines/registry.hh"
#include "kernels/model/host_generator.hh"
#include "kernels/model/requests.cuh"

#include <cstddef>
#include <memory>
#include <vector>

namespace crx {

/// One thread's instances of a cell, each written down when an engine first asks for it, and memory
/// that the thread's engines use in turn. Allocates nothing once it is made.
class LazyInstances
{
  public:
    /// How many instances are kept at a time, and bytes of scratch memory.
    struct Capacity
    {
        int requests = 1, counts = 1;
        std::size_t scratch = 0;

        /// Enough for both.
        void add(Capacity const& other);
    };

    /// `c`: of any policy of the cell. The generator must outlive it, as must what `c` names.
    LazyInstances(EngineCase const& c, HostGenerator const& generator, Capacity const& room);

    /// These instances come next, in ascending order.
    void expect(InstanceRange instances) { expected_ = instances; }

    /// Stay as they are until Capacity::requests instances later. Contract: not counts_only.
    Requests const& requests(std::int64_t instance);
    /// counts[c k + j]: requests of the j-th of c lengths in instance range.first + k; until the
    /// next call. Contract: range.count is at most Capacity::counts, and 1 unless counts_only;
    /// lengths come from a composition or a tabulated law.
    std::int64_t const* counts(InstanceRange range);

    void* scratch() { return scratch_; }
    std::size_t scratch_bytes() const { return scratch_bytes_; }

  private:
    struct Slot
    {
        Requests requests;
        std::int64_t instance = -1;
    };

    void count_requests(std::int64_t instance);

    WorkloadView workload_;
    InstanceSource const* source_;
    HostGenerator const& generator_;
    bool counts_only_;
    std::unique_ptr<std::byte[]> block_;
    std::vector<Slot> slots_; ///< instance k lies in slot k modulo their number
    std::vector<std::int64_t> counts_;
    std::int64_t counts_room_;
    InstanceRange expected_, counted_; ///< those that come next; whose counts there are
    std::byte* scratch_;
    std::size_t scratch_bytes_;
};

} // namespace crx
