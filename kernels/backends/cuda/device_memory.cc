#include "kernels/backends/cuda/device_memory.hh"

#include "kernels/engines/cohorts/cohort.hh"

#include <algorithm>

namespace crx {

CohortMemory cohort_memory(Cell const& cell, CellEngines const& engines)
{
    CRX_EXPECT(any_by_cohorts(cell));
    CohortMemory memory{0, all_by_cohorts(cell)};
    for (auto const& run : engines.runs) {
        if (run.law != RandomLaw::cohort) continue;
        memory.bytes = std::max(memory.bytes, sliced_cohort_bytes(run.spec, run.where.workload));
        if (run.first().portable) memory.compared_only = false;
    }
    if (wants_bound(cell))
        memory.bytes = std::max(memory.bytes, volume_by_class_bytes(view_of(cell.workload)));
    return memory;
}

CardSlots card_slots(std::size_t bytes, std::int64_t wanted, std::size_t slot, std::size_t engine,
                     std::int64_t most_engines)
{
    CRX_EXPECT(wanted > 0 && slot > 0 && most_engines > 0);
    auto const with_arrays = static_cast<std::int64_t>(bytes / (slot + engine));
    auto const all = std::min(wanted, with_arrays);
    if (all == 0 || most_engines >= wanted || engine == 0) return {all, all};
    auto const half = static_cast<std::int64_t>(bytes / 2 / engine);
    auto const engines =
        std::clamp<std::int64_t>(std::min(half, all), 1, std::min(most_engines, all));
    auto const rest = bytes - static_cast<std::size_t>(engines) * engine;
    return {std::min(wanted, static_cast<std::int64_t>(rest / slot)), engines};
}

} // namespace crx
