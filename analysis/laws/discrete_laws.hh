#pragma once

#include "analysis/laws/tabulated_law.hh"

namespace crx {

/// `lower` with probability w, else `upper`.
///
/// Contract: 1 <= lower <= upper, 0 <= w <= 1.
/// Source:   CHEN section 5.1.
TabulatedLaw two_point_law(std::int32_t lower, std::int32_t upper, double w);

/// P(k) proportional to p q^(k-1), p = 1 - q, on k = 1 .. upper; q = 1 is the limit, uniform.
///
/// Contract: 0 <= q <= 1, upper >= 1.
/// Source:   CHEN section 5.2, cut at u and normalised as in docs/model.md#laws.
TabulatedLaw geometric_law(double q, std::int32_t upper);

/// P(k) proportional to k p^2 q^(k-1) on k = 1 .. upper; q = 1 is the limit, proportional to k.
///
/// Contract: 0 <= q <= 1, upper >= 1.
/// Source:   CHEN section 5.3, cut at u and normalised as in docs/model.md#laws.
TabulatedLaw linear_geometric_law(double q, std::int32_t upper);

/// Each of lower .. upper equally likely.
///
/// Contract: lower <= upper.
/// Source:   WANG EC.4.2; its U(1, 51) leaves 51 out, so lower = 1, upper = 50.
TabulatedLaw uniform_law(std::int32_t lower, std::int32_t upper);

/// Successes among `trials` independent trials, plus `shift`.
///
/// Contract: trials >= 0, 0 <= probability <= 1.
/// Source:   WANG EC.4.2 (Binomial(49, 0.5) + 1).
TabulatedLaw binomial_law(std::int32_t trials, double probability, std::int32_t shift);

/// Events of a Poisson process of that rate in a unit of time.
///
/// Contract: 0 < rate <= 10^6.
/// Source:   docs/model.md#laws, Poisson(lambda) arrivals a round.
TabulatedLaw poisson_law(double rate);

} // namespace crx
