#pragma once

#include "analysis/bounds/two_point_shape.hh"

namespace crx::bounds {

/// CHEN Theorem 5.1 as printed: (3 - alpha)/2. It is the value at s = 0.
/// Domain: 0 < alpha <= 1. Throws std::domain_error.
double a_min_two_point_as_printed(double alpha);

/// Fluid ratio of A_min to H-SF on lengths l and u at odds t = x_l/x_u, any s (Lemma 4.6 on two
/// points): 1 + b(1-ab) t / (ab t^2 + 2ab t + 1).
/// Source: CHEN, proof of Theorem 5.1, with s kept (docs/model.md#closed-forms). Domain: a valid
/// shape, t >= 0 finite. Throws std::domain_error.
double a_min_two_point(TwoPointShape const& shape, double t);

/// Supremum of a_min_two_point over t: 1 + (sqrt(b/a) - b)/2. As s/u grows at fixed alpha it rises
/// to (1 + alpha^(-1/2))/2, so no bound in alpha alone of the form C + c log(1/alpha) holds for all
/// s.
double a_min_two_point_supremum(TwoPointShape const& shape);

/// The t of that supremum: 1/sqrt(ab).
double a_min_two_point_argmax(TwoPointShape const& shape);

} // namespace crx::bounds
