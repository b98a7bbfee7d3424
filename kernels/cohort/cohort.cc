#include "kernels/cohort/cohort.hh"

#include "kernels/cohort/execute_cohort.cuh"

#include <algorithm>
#include <functional>

namespace crx {

namespace {

/// All requests are told one interval, and their lengths lie in it.
bool has_common_interval(WorkloadView const& w)
{
    return w.interval.kind == IntervalKind::common &&
           (w.output_value.empty() || (w.output_value.front() >= w.interval.lower &&
                                       w.output_value.back() <= w.interval.upper));
}

} // namespace

bool cohort_applies(PolicySpec const& spec, WorkloadView const& w)
{
    return has_cohort_engine(spec.kind) && w.output_kind == OutputKind::composition &&
           w.prompt_kind == PromptKind::constant && w.arrival_kind == ArrivalKind::at_zero &&
           !w.clock.affine() && w.requests < (std::int64_t{1} << 32) - 1 &&
           std::ranges::is_sorted(w.output_value, std::less_equal{}) &&
           (knows_lengths(spec.kind) || has_common_interval(w));
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
