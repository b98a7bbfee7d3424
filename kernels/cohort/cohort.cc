#include "kernels/cohort/cohort.hh"

#include "kernels/cohort/execute_cohort.cuh"

#include <algorithm>
#include <functional>

namespace crx {

bool cohort_applies(PolicySpec const& spec, WorkloadView const& w)
{
    return has_cohort_engine(spec.kind) && w.output_kind == OutputKind::composition &&
           w.prompt_kind == PromptKind::constant && w.requests < (std::int64_t{1} << 32) &&
           std::ranges::is_sorted(w.output_value, std::less_equal{}) &&
           (knows_lengths(spec.kind) || w.interval.kind == IntervalKind::common);
}

std::size_t cohort_bytes(PolicySpec const& spec, WorkloadView const& workload)
{
    Arena counter(nullptr, 0);
    with_cohort_engine(spec, workload, 0, counter, [](auto&) {});
    return counter.bytes_used();
}

std::optional<Outcome> execute_cohort(PolicySpec const& spec, WorkloadView const& workload,
                                      std::int64_t instance, void* block, std::size_t bytes)
{
    if (!cohort_applies(spec, workload)) return std::nullopt;
    Arena arena(block, bytes);
    return execute_by_cohorts(spec, workload, static_cast<std::uint64_t>(instance), arena);
}

} // namespace crx
