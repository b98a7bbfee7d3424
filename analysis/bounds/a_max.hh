#pragma once

#include "analysis/bounds/two_point_shape.hh"

namespace crx::bounds {

/// CHEN Theorem 3.3: the competitive ratio of A_max is at most (1/alpha)(1 + 1/alpha)/2 + O(1/M).
/// Domain: 0 < alpha <= 1. Throws std::domain_error.
double a_max_upper(double alpha);

/// CHEN Theorem 3.4 as printed: at least (1/alpha)(1 + alpha^(-1/2))/2. The construction of its
/// proof does not reach this value; see a_max_construction_supremum (SPEC 10, 3).
/// Domain: 0 < alpha <= 1. Throws std::domain_error.
double a_max_lower_as_printed(double alpha);

/// Ratio that the construction of CHEN's proof of Theorem 3.4 has:
/// (r + alpha)(r + 1) / ((r^2 + 2 alpha r + 1) alpha), where r = alpha N_l / N_u (SPEC 10, 3).
/// s = 0. Domain: 0 < alpha <= 1, r >= 0 finite. Throws std::domain_error.
double a_max_construction(double alpha, double r);

/// Supremum of a_max_construction over r: (1/alpha)(1 + (1-alpha)/(2(1+alpha+sqrt(2+2 alpha)))),
/// about 1.207/alpha for small alpha; reached at a_max_construction_argmax (SPEC 10, 3).
double a_max_construction_supremum(double alpha);

/// The r of that supremum: 1 + sqrt(2 + 2 alpha).
double a_max_construction_argmax(double alpha);

/// Fluid ratio of A_max to H-SF on lengths l and u at odds t = x_l/x_u, any s, in the picture of
/// M/(s+u) parallel workers: (1+t)(1+at) / (ab t^2 + 2ab t + 1). At s = 0 it is
/// a_max_construction at r = at. The picture is exact only for M = u, s = 0; elsewhere
/// requests that end early leave room that the picture does not count.
/// Domain: a valid shape, t >= 0 finite. Throws std::domain_error.
double a_max_two_point(TwoPointShape const& shape, double t);

/// Supremum of a_max_two_point over t >= 0.
double a_max_two_point_supremum(TwoPointShape const& shape);

/// The t of that supremum: with ab(1-a) t^2 = 2a(1-b) t + 1 + a - 2ab (derivative zero).
/// Infinite at a = 1, where the ratio is 1 for every t.
double a_max_two_point_argmax(TwoPointShape const& shape);

} // namespace crx::bounds
