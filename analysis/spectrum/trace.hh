#pragma once

#include "analysis/spectrum/problem.hh"

namespace crx::spectrum {

/// tr(B^-1 A) = 1 + 1/(s+l+1) + ... + 1/(s+u): H_u at l = 1, s = 0 (CHEN, proof of Theorem 4.3);
/// for other l and s from M_kk/W_k = 1/(s+k) (docs/findings/spectrum.md, Lemma 2).
/// Summed smallest first with compensation: error below 2 units of 2^-53 relative. O(u).
double trace_closed_form(Problem const& problem);

/// The same by its definition, sum_k (B^-1)_kk a_kk + 2 sum_k (B^-1)_{k,k+1} a_{k,k+1}, with the
/// entries as they stand. Terms are of size u and the sum of size ln u, so it is carried in
/// double-double: error below u^2 2^-98, about 3e-14 at u = 10^8. O(u), about 50 times the cost
/// of the closed form.
double trace_by_definition(Problem const& problem);

/// The diagonal of W^-1 M summed: a third way, all terms positive, in plain doubles.
double trace_of_tail_form(Problem const& problem);

} // namespace crx::spectrum
