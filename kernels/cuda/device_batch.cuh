#pragma once

#include "kernels/engines/requests/execute.cuh"

#include <algorithm>

namespace crx {

/// Memory of a batch of instances on the device: slot k holds instance first + k.
struct Batch
{
    WorkloadView workload;
    std::int64_t first = 0, count = 0;
    char* requests = nullptr;       ///< request_bytes a slot
    char* engines = nullptr;        ///< engine_bytes a slot
    std::int64_t* counts = nullptr; ///< of a tabulated law: one a length and slot
    std::size_t request_bytes = 0, engine_bytes = 0;
    /// Slots that have arrays for engines at a time, from the first of a kernel's; below `count`
    /// only where run_by_engine_slots() runs all that need arrays.
    std::int64_t engine_slots = 0;
    unsigned long long* queue = nullptr; ///< where warps take the number of the next slot
    /// Slots that an engine did not take (list_lost), and how many: room for all. null: no engine
    /// loses any.
    std::int32_t* lost = nullptr;
    unsigned long long* lost_count = nullptr;
    unsigned long long* unfinished = nullptr; ///< instances that a slice has not finished
    std::int64_t slice_events = 0;            ///< as in GpuChoice

    CRX_HD Requests requests_of(std::int64_t slot) const
    {
        Arena arena(requests + static_cast<std::size_t>(slot) * request_bytes, request_bytes);
        return take_requests(arena, workload.requests, workload.memory, workload.clock);
    }
    /// How many requests of the slot's instance have each output length.
    CRX_HD std::int64_t* counts_of(std::int64_t slot) const
    {
        if (workload.output_kind == OutputKind::table)
            return counts + slot * static_cast<std::int64_t>(workload.output_value.size());
        return const_cast<std::int64_t*>(workload.output_count.data());
    }
    CRX_HD void* engine_of(std::int64_t slot) const
    {
        return engines + static_cast<std::size_t>(slot) * engine_bytes;
    }
    /// Some of the slots as a batch of their own. Arrays of engines keep nothing from one kernel to
    /// the next, and kernels run one after the other: all parts have the same.
    Batch part(std::int64_t from, std::int64_t slots) const
    {
        auto some = *this;
        some.first += from;
        some.count = slots;
        some.requests += static_cast<std::size_t>(from) * request_bytes;
        if (counts != nullptr)
            some.counts += from * static_cast<std::int64_t>(workload.output_value.size());
        return some;
    }
};

/// run(part, from) for parts that have arrays for engines; `from` is the first one's slot.
template <class Run>
void run_by_engine_slots(Batch const& batch, Run run)
{
    CRX_EXPECT(batch.engine_slots > 0 || batch.count == 0);
    for (std::int64_t from = 0; from < batch.count; from += batch.engine_slots)
        run(batch.part(from, std::min(batch.engine_slots, batch.count - from)), from);
}

} // namespace crx
