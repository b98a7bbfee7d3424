#pragma once

#include "kernels/engines/requests/execute.cuh"

#include <algorithm>

namespace crx {

/// One cell's instances in a batch: as many as there are slots up to the next cell's.
struct BatchCell
{
    WorkloadView workload;             ///< tables in device memory
    PolicySpec const* specs = nullptr; ///< of each run (CellEngines), in device memory
    std::int64_t slot = 0;             ///< the first one's
    std::int64_t first = 0;            ///< number of the first one

    CRX_HD std::uint64_t instance(std::int64_t slot_of_it) const
    {
        return static_cast<std::uint64_t>(first + (slot_of_it - slot));
    }
};

/// Instances of many cells that one kernel runs, and memory for them on the device. Each has a
/// slot, the place of its results.
struct GpuBatch
{
    BatchCell const* cells = nullptr; ///< in device memory, by ascending slots
    std::int32_t cell_count = 0;
    std::int32_t run = 0; ///< which policy of each cell (CellEngines::runs)
    std::int64_t count = 0;
    std::int64_t from = 0;              ///< slot of the first one
    std::int32_t const* list = nullptr; ///< the slots; null: those from `from` on
    std::int64_t most_requests = 0;     ///< n, of any cell
    char* requests = nullptr;           ///< request_bytes each
    char* engines = nullptr;            ///< engine_bytes each
    std::int64_t* counts = nullptr;     ///< of tabulated laws: `classes` for each slot
    std::size_t request_bytes = 0, engine_bytes = 0;
    std::int64_t classes = 0;      ///< the most lengths of a cell
    std::size_t engine_room = 0;   ///< bytes that all arrays of engines may take
    std::int64_t slice_events = 0; ///< as in GpuChoice

    CRX_HD std::int64_t slot_of(std::int64_t k) const
    {
        return list == nullptr ? from + k : std::int64_t{list[k]};
    }
    CRX_HD BatchCell const& cell_of(std::int64_t slot) const
    {
        std::int32_t low = 0, high = cell_count - 1;
        while (low < high) {
            auto const middle = (low + high + 1) / 2;
            if (cells[middle].slot <= slot)
                low = middle;
            else
                high = middle - 1;
        }
        return cells[low];
    }
    /// Those of the k-th instance.
    CRX_HD Requests requests_of(BatchCell const& cell, std::int64_t k) const
    {
        auto const& w = cell.workload;
        Arena arena(requests + static_cast<std::size_t>(k) * request_bytes, request_bytes);
        return take_requests(arena, w.requests, w.memory, w.clock);
    }
    /// How many requests of the slot's instance have each output length.
    CRX_HD std::int64_t* counts_of(BatchCell const& cell, std::int64_t slot) const
    {
        if (cell.workload.output_kind == OutputKind::table) return counts + slot * classes;
        return const_cast<std::int64_t*>(cell.workload.output_count.data());
    }
    /// Memory of the k-th instance's engine.
    CRX_HD void* block(std::int64_t k) const
    {
        return engines + static_cast<std::size_t>(k) * engine_bytes;
    }
    CRX_HD Arena arena(std::int64_t k) const { return {block(k), engine_bytes}; }
    /// Some of them.
    GpuBatch part(std::int64_t begin, std::int64_t instances) const
    {
        auto some = *this;
        some.from += begin;
        some.count = instances;
        if (list != nullptr) some.list += begin;
        if (requests != nullptr) some.requests += static_cast<std::size_t>(begin) * request_bytes;
        return some;
    }
};

/// run(part) for as many at a time as have room for `bytes` of arrays each, which a kernel must not
/// expect from the one before. `arrays`, bytes: GpuBatch::engines or GpuBatch::requests, and
/// theirs.
template <class Array, class Run>
void run_with_arrays(GpuBatch const& batch, char* GpuBatch::*arrays,
                     std::size_t GpuBatch::*array_bytes, std::size_t bytes, Run run)
{
    if (batch.count == 0) return;
    auto const fit = static_cast<std::int64_t>(batch.engine_room / std::max<std::size_t>(bytes, 1));
    auto const at_a_time = std::clamp<std::int64_t>(fit, 1, batch.count);
    Array const memory(static_cast<std::size_t>(at_a_time) * bytes);
    for (std::int64_t begin = 0; begin < batch.count; begin += at_a_time) {
        auto part = batch.part(begin, std::min(at_a_time, batch.count - begin));
        part.*arrays = const_cast<char*>(memory.data());
        part.*array_bytes = bytes;
        run(part);
    }
}

template <class Array, class Run>
void run_with_engines(GpuBatch const& batch, std::size_t bytes, Run run)
{
    run_with_arrays<Array>(batch, &GpuBatch::engines, &GpuBatch::engine_bytes, bytes, run);
}

} // namespace crx
