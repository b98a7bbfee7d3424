#pragma once

#include "analysis/bounds/lemma_4_6.hh"

#include <cstdint>

namespace crx::bounds {

/// Fluid ratio of A_min for P(k) ~ q^(k-1) on k = 1..u, by Lemma 4.6; l = 1. O(u) time, O(1)
/// memory; lengths whose weight is below 1e-40 of the first are left out.
/// Domain: 0 <= q <= 1 (q = 1 is the uniform law), u >= 1, s >= 0. Throws std::domain_error.
double geometric_ratio(double q, std::int64_t u, double s);

/// The same for u = infinity, s = 0, in closed form. With e = (1+q^2)/(1+q)^3:
/// 1 + [1/2 - e(1-q)/2 - (1+4q+q^2) ln(1+q)/q + 3q + 3q/(1+q)^2 + e] / ((1+q) e).
/// Source: Lemma 4.6 in matrix form, sum over i < j of i^3/j q^(i+j) done by partial summation
/// (docs/findings/spectrum.md). CHEN 5.2 has no formula and reads "bounded by 1.7" off a plot.
/// Error: below 1e-14 (q >= 0.01: no term is above 50 times the result; a series below it).
/// Domain: 0 <= q <= 1; q = 1 is the limit 10 - 12 ln 2. Throws std::domain_error.
double geometric_ratio_unbounded(double q);

/// 10 - 12 ln 2 = 1.682233833...: the limit of geometric_ratio_unbounded as q -> 1, and its
/// supremum over q (proven with intervals in tests/analysis/bounds/geometric_supremum_test.cc).
double geometric_ratio_limit();

/// The closed form itself, for any real type (doubles, intervals, jets);
/// log_term = ln(1+q)/q.
template <class Real>
Real geometric_closed_form(Real const& q, Real const& log_term)
{
    Real const one(1.0);
    Real const p = one + q;
    Real const e = (one + q * q) / (p * p * p);
    Real const bracket = Real(0.5) - e * (one - q) / Real(2.0) -
                         (one + Real(4.0) * q + q * q) * log_term + Real(3.0) * q +
                         Real(3.0) * q / (p * p) + e;
    return one + bracket / (p * e);
}

/// Fluid ratio of A_min for P(k) ~ k q^(k-1) on k = 1..u, by Lemma 4.6; l = 1. As geometric_ratio.
double linear_geometric_ratio(double q, std::int64_t u, double s);

/// The same for u = infinity, s = 0: CHEN Theorem 5.3,
/// (1+q)^2 (1+3q+6q^2+3q^3+q^4) / (1+2q+11q^2+8q^3+11q^4+2q^5+q^6), at most 14/9, its value
/// at q = 1. Domain: 0 <= q <= 1. Throws std::domain_error.
double linear_geometric_ratio_unbounded(double q);

/// Largest ratio found over q, and the q of it.
struct LawSupremum
{
    double value;
    double q;
    bool at_limit; ///< true if the ratio still grows as q -> 1: the value is that limit
};

enum class Law
{
    geometric,
    linear_geometric
};

/// Supremum over q of the fluid ratio of A_min (Lemma 4.6) under a law with l = 1, prompts s and
/// no cut (u = infinity; a cut at u only lowers it in every case tried).
///
/// Found by a scan of 64 points a decade of 1-q down to 1e-3 and golden-section search around the
/// best; not a proof. At s = 0 it is the limit q -> 1: 10 - 12 ln 2 (geometric) or 14/9
/// (linear-geometric; proven there: 14 D - 9 N = (1-q)^2 (5-7q+18q^2-7q^3+5q^4)).
/// Error: below 1e-9 in the value for s <= 50, where the worst 1-q is above 1e-3.
/// Domain: 0 <= s <= 50. Throws std::domain_error.
LawSupremum law_supremum(Law law, double s);

} // namespace crx::bounds
