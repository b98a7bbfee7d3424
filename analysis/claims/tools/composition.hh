#pragma once

#include "analysis/claims/tools/runs.hh"
#include "analysis/statistics/estimate.hh"

namespace crx::claims {

/// n requests at 0 with exact counts of each length, in random order; [lower, upper] is known.
struct Composition
{
    std::int32_t lower = 1, upper = 1, prompt = 0;
    Tokens memory = 0;
    std::vector<std::int32_t> length; ///< ascending
    std::vector<std::int64_t> count;
};

/// Two lengths l and u: `odds` short ones for each long one, n = load M in all.
Composition two_point(std::int32_t l, std::int32_t u, Tokens memory, std::int64_t load,
                      double odds);
/// So many of one length, of which [lower, upper] is known.
Composition one_length(std::int32_t lower, std::int32_t upper, std::int32_t length, Tokens memory,
                       std::int64_t load);
/// A share G_k = (2l - 1)/(2k - 1) has k tokens or more, near the worst of CHEN Lemma 4.6.
Composition worst_of_lemma_4_6(std::int32_t l, std::int32_t u, std::int32_t prompt, Tokens memory,
                               std::int64_t load);

/// A_min as CHEN's text can be read (docs/model.md#a-min).
struct Reading
{
    std::string_view name; ///< "1", "1 exceeded", "2", "2 exceeded"
    PolicySpec policy;
};

/// Reading 1 is `a-min`, 2 `a-min-evict`, each with learns = reached and exceeded.
std::vector<Reading> four_readings();

/// What a policy did on a composition.
struct Simulated
{
    Estimate ratio;           ///< mean TEL over mean TEL of H-SF, 95 %
    double cancellations = 0; ///< a request
    double low() const { return ratio.low().value_or(ratio.mean); }
    double high() const { return ratio.high().value_or(ratio.mean); }
};

/// By cohorts where the policy has them, on all threads; the seed is the same for all claims, so a
/// short form gives the same figures on every machine.
Simulated simulate(PolicySpec const& spec, Composition const& composition, std::int64_t instances);

/// The same in all four readings, in their order.
std::vector<Simulated> simulate_readings(Composition const& composition, std::int64_t instances);

/// Lemma 4.6's ratio of the composition: CHEN's fluid picture of A_min.
double fluid_ratio(Composition const& composition);

/// "1.539 [1.538, 1.539]".
std::string text(Simulated const& simulated);
/// "1: 1.539 [1.538, 1.539]; 1 exceeded: ..".
std::string text(std::vector<Simulated> const& readings);

} // namespace crx::claims
