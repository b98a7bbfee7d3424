#include "kernels/engines/cohorts/cohort.hh"

#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/policies/policy_info.hh"

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
    auto const& policy = policy_info(spec.kind);
    if (policy.cohort_form == CohortForm::none) return policy.cohort_refusal;
    if (auto const reason = cohort_refusal(w); !reason.empty()) return reason;
    if (!policy.knows_lengths && !has_common_interval(w))
        return "prediction intervals differ between requests";
    if (spec.evicts != Evicts::least_bound) return "victims are chosen by what each has generated";
    if (policy.cohort_form == CohortForm::learned_lengths &&
        most_learning_cohorts(w) > most_cohorts)
        return "more than " + std::to_string(most_cohorts) + " cohorts may be active at a time";
    return {};
}

int cohort_draw_rule(PolicyKind kind)
{
    switch (policy_info(kind).cohort_form) {
    case CohortForm::none:
    case CohortForm::shortest_first: return 0;
    case CohortForm::random_order:
    case CohortForm::hidden_lengths: return 6;
    case CohortForm::learned_lengths: return 7;
    }
    contract_violated("a form of cohorts", __FILE__, __LINE__);
}

std::size_t cohort_bytes(PolicySpec const& spec, WorkloadView const& workload)
{
    return arena_bytes_of(
        [&](Arena& arena) { with_cohort_engine(spec, workload, nullptr, 0, arena, [](auto&) {}); });
}

std::size_t sliced_cohort_bytes(PolicySpec const& spec, WorkloadView const& workload)
{
    return with_policy(spec, [&]<class P>(P const& policy) {
        return arena_bytes_of([&](Arena& arena) {
            if constexpr (P::cohort_form != CohortForm::none) {
                arena.take<CohortEngineOf<P>>(1);
                make_cohort_engine(policy, workload, nullptr, 0, arena);
            } else {
                contract_violated("a policy with a cohort engine", __FILE__, __LINE__);
            }
        });
    });
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
    return arena_bytes_of([&](Arena& arena) { take_composition(arena, workload, nullptr); });
}

std::int64_t volume_by_class(WorkloadView const& workload, std::int64_t const* counts, void* block,
                             std::size_t bytes)
{
    Arena arena(block, bytes);
    return volume_by_class(take_composition(arena, workload, counts));
}

} // namespace crx
