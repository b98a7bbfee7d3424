#pragma once

#include "analysis/bounds/two_point_shape.hh"

namespace crx::bounds {

/// Fluid ratio of A_l to H-SF on lengths l and u at odds t = x_l/x_u, any s: all requests run l
/// tokens first, then the long ones run again in full:
/// 1 + g^2 (t + 2) / (g^2 t^2 + 2 g^2 t + 1), g = sqrt(ab).
/// Source: CHEN, proof of Theorem 5.2 (its final expansion, not the bracket before it;
/// docs/errata.md#chen-theorem-52), with s kept. Domain: a valid shape, t >= 0 finite. Throws
/// std::domain_error.
double a_ell_two_point(TwoPointShape const& shape, double t);

/// Supremum over t: 1 + g/(2(1-g)) for g <= 1/2, else 1 + 2 g^2. With g = alpha, its value at
/// s = 0, this is CHEN Theorem 5.2 as printed.
double a_ell_two_point_supremum(TwoPointShape const& shape);

/// The t of that supremum: 1/g - 2 for g <= 1/2, else 0.
double a_ell_two_point_argmax(TwoPointShape const& shape);

/// The alpha at which the suprema of A_l and A_min on two points are equal when s = s_over_u * u;
/// below it A_l is better. (3 - sqrt 5)/2 at s = 0 (CHEN, after Theorem 5.2); found to 1e-15
/// by bisection elsewhere. Domain: s_over_u >= 0 finite. Throws std::domain_error.
double a_ell_a_min_crossing(double s_over_u);

} // namespace crx::bounds
