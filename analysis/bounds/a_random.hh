#pragma once

#include "analysis/bounds/two_point_shape.hh"

#include <span>

namespace crx::bounds {

/// CHEN Theorem 8.6, equation (11), as printed: (1 + 1/alpha)/2. It is the value at s = 0.
/// Domain: 0 < alpha <= 1. Throws std::domain_error.
double a_random_as_printed(double alpha);

/// Fluid ratio of A_random to H-SF on lengths l and u at odds t = x_l/x_u, any s:
/// (1+t)(1+ab t) / (ab t^2 + 2ab t + 1). Source: CHEN, proof of Theorem 8.6, part 2.
/// Domain: a valid shape, t >= 0 finite. Throws std::domain_error.
double a_random_two_point(TwoPointShape const& shape, double t);

/// Supremum of a_random_two_point over t: (1 + 1/g)/2, reached at t = 1/g, g = sqrt(ab).
double a_random_two_point_supremum(TwoPointShape const& shape);

/// Fluid ratio of A_random to H-SF for a general composition: everyone waits for half of the total
/// volume, sum_k k(s+k)x_k, against H-SF's volume of those before.
/// x[k-l] >= 0 is the weight of length k = l .. l+size-1; weights need not sum to 1.
/// Source: the same argument as CHEN's part 2 with more than two lengths. O(size).
/// Domain: l >= 1, s >= 0, some weight positive. Throws std::domain_error.
double a_random_composition(std::span<double const> x, double l, double s);

} // namespace crx::bounds
