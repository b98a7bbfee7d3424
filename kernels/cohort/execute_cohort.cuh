#pragma once

#include "kernels/cohort/hidden_lengths.cuh"
#include "kernels/cohort/known_lengths.cuh"
#include "kernels/cohort/random_line.cuh"
#include "kernels/cohort/shortest_line.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/policy_spec.cuh"

namespace crx {

/// Whether the policy reads true lengths, so that prediction intervals do not matter to it.
CRX_HD inline bool knows_lengths(PolicyKind kind)
{
    return kind == PolicyKind::mc_sf || kind == PolicyKind::mc_sf_total ||
           kind == PolicyKind::a_random;
}

CRX_HD inline bool has_cohort_engine(PolicyKind kind)
{
    return knows_lengths(kind) || kind == PolicyKind::a_max || kind == PolicyKind::a_ell ||
           kind == PolicyKind::a_ladder;
}

/// Builds the policy's cohort engine in the arena and calls visit with it. With an arena that only
/// counts the engine must not be run.
template <class Visit>
CRX_HD void with_cohort_engine(PolicySpec const& spec, WorkloadView const& w,
                               std::uint64_t instance, Arena& arena, Visit visit)
{
    auto const composition = take_composition(arena, w);
    auto const longest = w.output_value.empty() ? 1 : w.output_value.back();
    auto const classes = static_cast<std::int64_t>(w.output_value.size());
    WordStream const words(w.seed, stream_policy + static_cast<std::uint32_t>(spec.kind), instance);
    auto const hidden = [&](auto const& policy) {
        auto const lengths = working_lengths(policy, w.interval.lower, w.interval.upper);
        HiddenLengthsEngine<> engine(lengths, composition, classes, most_ends(w, w.interval.upper),
                                     words, arena);
        visit(engine);
    };
    switch (spec.kind) {
    case PolicyKind::mc_sf:
    case PolicyKind::mc_sf_total: { // one prompt length for all: the same order
        KnownLengthsEngine engine(composition, ShortestLine(composition), arena,
                                  most_ends(w, longest));
        return visit(engine);
    }
    case PolicyKind::a_random: {
        RandomLine const line(composition, classes, words, arena);
        KnownLengthsEngine engine(composition, line, arena, most_ends(w, longest));
        return visit(engine);
    }
    case PolicyKind::a_max: return hidden(MaxLength{});
    case PolicyKind::a_ell: return hidden(PromoteLower{});
    case PolicyKind::a_ladder: return hidden(Ladder{{}, spec.levels});
    default: contract_violated("a policy with a cohort engine", __FILE__, __LINE__);
    }
}

/// One `execute` body for both processors. Contract: cohort_applies.
CRX_HD inline Outcome execute_by_cohorts(PolicySpec const& spec, WorkloadView const& w,
                                         std::uint64_t instance, Arena& arena)
{
    Outcome outcome;
    with_cohort_engine(spec, w, instance, arena, [&](auto& engine) { outcome = engine.execute(); });
    outcome.first_token_latency = outcome.total_latency; // o - 1 rounds before the completion
    for (std::size_t k = 0; k < w.output_value.size(); ++k)
        outcome.first_token_latency -= w.output_count[k] * (w.output_value[k] - 1);
    return outcome;
}

} // namespace crx
