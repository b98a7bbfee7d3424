#include "kernels/engines/cohorts/cohort.hh"

#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/engines/cohorts/volume_by_class.cuh"

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

/// Active cohorts that an instance of a-min may need: some 400 MiB.
constexpr std::int64_t most_cohorts = std::int64_t{1} << 22;

} // namespace

std::string cohort_refusal(WorkloadView const& w)
{
    if (w.output_kind == OutputKind::trace) return "output lengths come from a trace";
    if (w.prompt_kind != PromptKind::constant) return "prompts differ";
    if (w.arrival_kind != ArrivalKind::at_zero) return "requests arrive over time";
    if (w.clock.affine()) return "rounds last by the affine clock";
    if (w.requests >= most_cohort_requests) return "there are 2^32 - 1 requests or more";
    if (!std::ranges::is_sorted(w.output_value, std::less_equal{}))
        return "output lengths do not ascend";
    return {};
}

std::string cohort_refusal(PolicySpec const& spec, WorkloadView const& w)
{
    if (!has_cohort_engine(spec.kind)) return "the policy serves by arrival, request by request";
    if (auto const reason = cohort_refusal(w); !reason.empty()) return reason;
    if (!knows_lengths(spec.kind) && !has_common_interval(w))
        return "prediction intervals differ between requests";
    if (learns_lengths(spec.kind) && most_learning_cohorts(w) > most_cohorts)
        return "more than " + std::to_string(most_cohorts) + " cohorts may be active at a time";
    return {};
}

int cohort_draw_rule(PolicyKind kind)
{
    if (kind == PolicyKind::mc_sf || kind == PolicyKind::mc_sf_total) return 0;
    return learns_lengths(kind) ? 7 : 6;
}

std::size_t cohort_bytes(PolicySpec const& spec, WorkloadView const& workload)
{
    Arena counter(nullptr, 0);
    with_cohort_engine(spec, workload, nullptr, 0, counter, [](auto&) {});
    return counter.bytes_used();
}

Outcome execute_cohort(PolicySpec const& spec, WorkloadView const& workload,
                       std::int64_t const* counts, std::int64_t instance, void* block,
                       std::size_t bytes, ScheduleLog const& log)
{
    Arena arena(block, bytes);
    return execute_by_cohorts(spec, workload, counts, static_cast<std::uint64_t>(instance), arena,
                              log);
}

std::size_t volume_by_class_bytes(WorkloadView const& workload)
{
    Arena counter(nullptr, 0);
    take_composition(counter, workload, nullptr);
    return counter.bytes_used();
}

std::int64_t volume_by_class(WorkloadView const& workload, std::int64_t const* counts, void* block,
                             std::size_t bytes)
{
    Arena arena(block, bytes);
    return volume_by_class(take_composition(arena, workload, counts));
}

} // namespace crx
