#include "kernels/backends/cuda/device_memory.hh"

#include "kernels/engines/cohorts/a_max_batch/a_max_batch.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/engines/cohorts/fixed_length_batch/fixed_length_batch.hh"

#include <algorithm>

namespace crx {

LaneFit card_lanes_fit(PolicySpec const& spec, WorkloadView const& host)
{
    return spec.kind == PolicyKind::a_max ? a_max_batch_fit(host)
                                          : fixed_length_batch_fit(spec, host);
}

CohortMemory cohort_memory(Cell const& cell)
{
    CRX_EXPECT(any_by_cohorts(cell));
    auto const host = view_of(cell.workload);
    CohortMemory memory{0, all_by_cohorts(cell)};
    auto const run = [&](PolicySpec const& spec) {
        memory.bytes = std::max(memory.bytes, cohort_bytes(spec, host));
        if (card_lanes_fit(spec, host) == LaneFit::none) memory.compared_only = false;
    };
    if (cell.wants(BaselineKind::h_sf) || cell.wants(BaselineKind::mc_sf))
        run({PolicyKind::mc_sf, {}});
    if (cell.wants(BaselineKind::volume) || cell.wants(BaselineKind::release))
        memory.bytes = std::max(memory.bytes, volume_by_class_bytes(host));
    for (std::size_t k = 0; k < cell.policies.size(); ++k)
        if (law_of(cell, k) == RandomLaw::cohort) run(cell.policies[k]);
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
