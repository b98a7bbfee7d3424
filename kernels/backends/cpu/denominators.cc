#include "kernels/backends/cpu/denominators.hh"

#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/model/bounds/release.cuh"
#include "kernels/model/bounds/volume.cuh"
#include "kernels/model/outcome.cuh"

#include <algorithm>

namespace crx {

Denominators::Denominators(Cell const& cell) : cell_(cell), workload_(view_of(cell.workload)) {}

std::size_t Denominators::scratch_bytes(Cell const& cell)
{
    auto const n = all_by_cohorts(cell) ? 0 : cell.workload.requests;
    auto bytes = VolumeBound::arena_bytes(n);
    if (cell.wants(BaselineKind::release)) bytes = std::max(bytes, ReleaseBound::arena_bytes(n));
    if (any_by_cohorts(cell))
        bytes = std::max(bytes, volume_by_class_bytes(view_of(cell.workload)));
    return bytes;
}

void Denominators::compute(std::int64_t instance, Outcome const* shortest_first,
                           std::optional<std::int64_t> volume, LazyInstances& instances,
                           ScheduleLog const& log, std::int64_t* value)
{
    for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf})
        if (cell_.wants(kind)) value[static_cast<int>(kind)] = denominator_of(*shortest_first);
    auto const bound = [&]<class Bound>(BaselineKind kind) {
        if (!cell_.wants(kind)) return;
        auto& result = value[static_cast<int>(kind)];
        // Where there are counts, and where a run has made the volume bound, all requests are there
        // at 0: the release bound is the volume bound.
        if (any_by_cohorts(cell_)) {
            result = volume_by_counts(instance, instances);
        } else if (volume) {
            result = *volume;
        } else {
            Arena arena(instances.scratch(), instances.scratch_bytes());
            auto const& all = instances.requests(instance);
            result = Bound(arena, all.n).execute(all);
        }
    };
    bound.operator()<VolumeBound>(BaselineKind::volume);
    bound.operator()<ReleaseBound>(BaselineKind::release);
    if (cell_.host_baselines != nullptr)
        cell_.host_baselines->evaluate(
            instances.requests(instance), [&log] { return log.abandons(); }, value);
}

std::int64_t Denominators::volume_by_counts(std::int64_t instance, LazyInstances& instances)
{
    if (!volume_ || workload_.output_kind == OutputKind::table)
        volume_ = volume_by_class(workload_, instances.counts({instance, 1}), instances.scratch(),
                                  instances.scratch_bytes());
    return *volume_;
}

} // namespace crx
