#pragma once

#include "kernels/engines/cohorts/class_sampler.cuh"
#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/engines/cohorts/hidden_lengths.cuh"
#include "kernels/engines/cohorts/learned_lengths.cuh"
#include "kernels/engines/requests/memory_profile.cuh"
#include "kernels/model/clock.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/registry.cuh"

#include <new>
#include <utility>

namespace crx {

/// The round model for policies that know every length and never cancel: what starts in round t
/// with output o completes at t + o, so the memory profile is all the state there is.
///
/// `Line` is the waiting line: it decides which classes start, and how many of each.
/// Cost of a round in which something happens: the number of different ends, at most the longest
/// output; n does not enter.
template <class Line>
class KnownLengthsEngine
{
  public:
    CRX_HD KnownLengthsEngine(Composition const& composition, Line const& line, Arena& arena,
                              std::int64_t ends)
        : composition_(composition), line_(line), profile_(arena, ends, composition.memory),
          waiting_(composition.requests)
    {
    }

    CRX_HD Outcome execute(ScheduleLog const& log = {})
    {
        advance(log, INT64_MAX);
        return outcome_;
    }

    /// Goes on for so many events at most; whether the instance is done.
    CRX_HD bool advance(ScheduleLog const& log, std::int64_t events)
    {
        auto const end = outcome_.events + events;
        auto t = round_;
        while (t != no_round) {
            if (outcome_.events == end) {
                round_ = t;
                return false;
            }
            if (passes_range(t, outcome_.total_latency, waiting_)) {
                outcome_.give_up(Unfinished::out_of_range);
                return true;
            }
            ++outcome_.events;
            if (profile_.next_end() == t && profile_.held_at_next_end() > outcome_.peak_memory)
                outcome_.peak_memory = profile_.held_at_next_end();
            auto const held = profile_.held_until_next_end(t);
            profile_.drop_until(t);
            line_.admit(t, *this);
            if (log.on_event != nullptr)
                log.on_event(log.context, t, held, profile_.counted(), waiting_);
            if (log.should_abort(outcome_.events)) return true;
            auto const limit = profile_.next_end();
            CRX_ENSURE(limit != no_round || line_.empty());
            if (line_.empty()) {
                t = limit;
                continue;
            }
            auto const fit = profile_.first_fit(t + 1, composition_.prompt, line_.blocked(), limit);
            t = fit != no_round ? fit : limit;
        }
        return true;
    }
    CRX_HD Outcome const& outcome() const { return outcome_; }

    /// Most requests of output o that could start together in round t.
    CRX_HD std::int64_t most_copies(Rounds t, std::int32_t o) const
    {
        return profile_.most_copies(t, composition_.prompt, o);
    }
    CRX_HD void start(Rounds t, std::int32_t o, std::int64_t m)
    {
        profile_.add(t, composition_.prompt, o, m);
        waiting_ -= m;
        // m t is in range, m o at most M: their sum may pass 2^63, which the next event says.
        outcome_.total_latency = static_cast<std::int64_t>(
            static_cast<std::uint64_t>(outcome_.total_latency) +
            static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(t + o));
        if (t + o > outcome_.makespan) outcome_.makespan = t + o;
    }

  private:
    Composition composition_;
    Line line_;
    MemoryProfile profile_;
    std::int64_t waiting_;
    Rounds round_ = 0; ///< in which advance() goes on
    Outcome outcome_;
};

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

/// The policy's cohort engine for counts[k] requests of the workload's k-th length, in the arena.
/// With an arena that only counts it must not be run. Contract: the policy has a cohort form.
template <class P>
CRX_HD auto make_cohort_engine(P const& policy, WorkloadView const& w, std::int64_t const* counts,
                               std::uint64_t instance, Arena& arena)
{
    auto const composition = take_composition(arena, w, counts);
    auto const longest = w.output_value.empty() ? 1 : w.output_value.back();
    auto const classes = static_cast<std::int64_t>(w.output_value.size());
    WordStream const words(w.seed, stream_policy + static_cast<std::uint32_t>(P::kind), instance);
    if constexpr (P::cohort_form == CohortForm::shortest_first) {
        return KnownLengthsEngine(composition, ShortestLine(composition), arena,
                                  most_ends(w, longest));
    } else if constexpr (P::cohort_form == CohortForm::random_order) {
        RandomOrderQueue<> const line(composition, classes, words, arena);
        return KnownLengthsEngine(composition, line, arena, most_ends(w, longest));
    } else if constexpr (P::cohort_form == CohortForm::hidden_lengths) {
        auto const lengths = working_lengths(policy, w.interval.lower, w.interval.upper);
        return HiddenLengthsEngine<>(lengths, composition, classes, most_ends(w, w.interval.upper),
                                     words, arena);
    } else {
        static_assert(P::cohort_form == CohortForm::learned_lengths);
        return LearnedLengthsEngine<P::outlived>(composition, classes, most_learning_cohorts(w),
                                                 policy.learns, words, arena);
    }
}

/// Calls visit with that engine.
template <class P, class Visit>
CRX_HD void with_cohort_engine_of(P const& policy, WorkloadView const& w,
                                  std::int64_t const* counts, std::uint64_t instance, Arena& arena,
                                  Visit visit)
{
    if constexpr (P::cohort_form != CohortForm::none) {
        auto engine = make_cohort_engine(policy, w, counts, instance, arena);
        visit(engine);
    } else {
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

template <class P>
using CohortEngineOf =
    decltype(make_cohort_engine(std::declval<P const&>(), std::declval<WorkloadView const&>(),
                                nullptr, 0, std::declval<Arena&>()));

/// The outcome of an engine that is done.
template <class Engine>
CRX_HD Outcome outcome_of_cohorts(Engine const& engine, WorkloadView const& w,
                                  std::int64_t const* counts)
{
    auto outcome = engine.outcome();
    outcome.first_token_latency = first_token_latency(outcome.total_latency, w, counts);
    return outcome;
}

/// One body for both processors: so many events at most; whether the instance is done, and then the
/// outcome. Contract: as of execute_cohort in cohort.hh.
template <class P>
CRX_HD bool execute_cohorts_within(std::int64_t events, P const& policy, WorkloadView const& w,
                                   std::int64_t const* counts, std::uint64_t instance, Arena& arena,
                                   ScheduleLog const& log, Outcome& outcome)
{
    if constexpr (P::cohort_form != CohortForm::none) {
        auto engine = make_cohort_engine(policy, w, counts, instance, arena);
        if (!engine.advance(log, events)) return false;
        outcome = outcome_of_cohorts(engine, w, counts);
        return true;
    } else {
        contract_violated("a policy with a cohort engine", __FILE__, __LINE__);
    }
}

/// In slices, as execute_slice of the request engine. Contract: a block of sliced_cohort_bytes.
template <class P>
CRX_HD bool execute_cohort_slice(bool begins, std::int64_t events, P const& policy,
                                 WorkloadView const& w, std::int64_t const* counts,
                                 std::uint64_t instance, Arena& arena, Outcome& outcome)
{
    using Engine = CohortEngineOf<P>;
    static_assert(std::is_trivially_copyable_v<Engine>);
    auto* const kept = arena.take<Engine>(1);
    if (begins) new (kept) Engine(make_cohort_engine(policy, w, counts, instance, arena));
    if (!kept->advance({}, events)) return false;
    outcome = outcome_of_cohorts(*kept, w, counts);
    return true;
}

CRX_HD inline Outcome execute_by_cohorts(PolicySpec const& spec, WorkloadView const& w,
                                         std::int64_t const* counts, std::uint64_t instance,
                                         Arena& arena, ScheduleLog const& log)
{
    return with_policy(spec, [&](auto const& policy) {
        Outcome outcome;
        execute_cohorts_within(INT64_MAX, policy, w, counts, instance, arena, log, outcome);
        return outcome;
    });
}

} // namespace crx
