#pragma once

#include "kernels/engines/cohorts/hidden_lengths.cuh"
#include "kernels/engines/cohorts/known_lengths.cuh"
#include "kernels/engines/cohorts/learned_lengths.cuh"
#include "kernels/engines/cohorts/lottery/random_line.cuh"
#include "kernels/policies/registry.cuh"

namespace crx {

/// One more than the most requests that the draws can tell apart.
inline constexpr std::int64_t most_cohort_requests = (std::int64_t{1} << 32) - 1;

/// Most cohorts of a-min at a time: no more than there are requests, active requests, or pairs of a
/// start in the last u rounds and a pool of waiting requests.
CRX_HD inline std::int64_t most_learning_cohorts(WorkloadView const& w)
{
    auto const l = std::int64_t{w.interval.lower}, u = std::int64_t{w.interval.upper};
    // Those that outlived their length hold at most M at the end of a round, those planned do too.
    auto const by_memory = 2 * (w.memory / (std::int64_t{w.prompt_constant} + 1)) + 2;
    auto const by_age = (u + 1) * (u - l + 2);
    auto const least = by_memory < by_age ? by_memory : by_age;
    return w.requests < least ? w.requests : least;
}

/// Builds the policy's cohort engine for counts[k] requests of the workload's k-th length in the
/// arena and calls visit with it. With an arena that only counts the engine must not be run.
template <class P, class Visit>
CRX_HD void with_cohort_engine_of(P const& policy, WorkloadView const& w,
                                  std::int64_t const* counts, std::uint64_t instance, Arena& arena,
                                  Visit visit)
{
    auto const composition = take_composition(arena, w, counts);
    auto const longest = w.output_value.empty() ? 1 : w.output_value.back();
    auto const classes = static_cast<std::int64_t>(w.output_value.size());
    WordStream const words(w.seed, stream_policy + static_cast<std::uint32_t>(P::kind), instance);
    if constexpr (P::cohort_form == CohortForm::shortest_first) {
        KnownLengthsEngine engine(composition, ShortestLine(composition), arena,
                                  most_ends(w, longest));
        visit(engine);
    } else if constexpr (P::cohort_form == CohortForm::random_order) {
        RandomLine<> const line(composition, classes, words, arena);
        KnownLengthsEngine engine(composition, line, arena, most_ends(w, longest));
        visit(engine);
    } else if constexpr (P::cohort_form == CohortForm::hidden_lengths) {
        auto const lengths = working_lengths(policy, w.interval.lower, w.interval.upper);
        HiddenLengthsEngine<> engine(lengths, composition, classes, most_ends(w, w.interval.upper),
                                     words, arena);
        visit(engine);
    } else if constexpr (P::cohort_form == CohortForm::learned_lengths) {
        LearnedLengthsEngine<P::outlived> engine(composition, classes, most_learning_cohorts(w),
                                                 policy.learns, words, arena);
        visit(engine);
    } else {
        static_assert(P::cohort_form == CohortForm::none);
        contract_violated("a policy with a cohort engine", __FILE__, __LINE__);
    }
}

template <class Visit>
CRX_HD void with_cohort_engine(PolicySpec const& spec, WorkloadView const& w,
                               std::int64_t const* counts, std::uint64_t instance, Arena& arena,
                               Visit visit)
{
    with_policy(spec, [&](auto const& policy) {
        with_cohort_engine_of(policy, w, counts, instance, arena, visit);
    });
}

/// One `execute` body for both processors. Contract: as of execute_cohort in cohort.hh.
template <class P>
CRX_HD Outcome execute_policy_by_cohorts(P const& policy, WorkloadView const& w,
                                         std::int64_t const* counts, std::uint64_t instance,
                                         Arena& arena, ScheduleLog const& log)
{
    Outcome outcome;
    with_cohort_engine_of(policy, w, counts, instance, arena,
                          [&](auto& engine) { outcome = engine.execute(log); });
    outcome.first_token_latency = first_token_latency(outcome.total_latency, w, counts);
    return outcome;
}

CRX_HD inline Outcome execute_by_cohorts(PolicySpec const& spec, WorkloadView const& w,
                                         std::int64_t const* counts, std::uint64_t instance,
                                         Arena& arena, ScheduleLog const& log)
{
    return with_policy(spec, [&](auto const& policy) {
        return execute_policy_by_cohorts(policy, w, counts, instance, arena, log);
    });
}

} // namespace crx
