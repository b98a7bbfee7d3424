#pragma once

#include "analysis/bounds/domain.hh"

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

/// CHEN Theorem 3.3: the competitive ratio of A_max is at most (1/alpha)(1 + 1/alpha)/2 + O(1/M).
/// Domain: 0 < alpha <= 1. Throws std::domain_error.
double a_max_upper(double alpha);

/// CHEN Theorem 3.4 as printed: at least (1/alpha)(1 + alpha^(-1/2))/2. The construction of its
/// proof does not reach this value; see a_max_construction_supremum
/// (docs/errata.md#chen-theorem-34). Domain: 0 < alpha <= 1. Throws std::domain_error.
double a_max_lower_as_printed(double alpha);

/// Ratio that the construction of CHEN's proof of Theorem 3.4 has:
/// (r + alpha)(r + 1) / ((r^2 + 2 alpha r + 1) alpha), where r = alpha N_l / N_u
/// (docs/errata.md#chen-theorem-34). s = 0. Domain: 0 < alpha <= 1, r >= 0 finite. Throws
/// std::domain_error.
double a_max_construction(double alpha, double r);

/// Supremum of a_max_construction over r: (1/alpha)(1 + (1-alpha)/(2(1+alpha+sqrt(2+2 alpha)))),
/// about 1.207/alpha for small alpha; reached at a_max_construction_argmax
/// (docs/errata.md#chen-theorem-34).
double a_max_construction_supremum(double alpha);

/// The r of that supremum: 1 + sqrt(2 + 2 alpha).
double a_max_construction_argmax(double alpha);

/// E TEL(A_max) is at most this many times OPT, so TEL(H-SF) too, on any outputs in [l, u], where
/// m = floor(M / (s+u)) divides evenly; else times M / (m (s+u)) from the second term on:
///   1 + (s+u) (l + sqrt(l^2 + B H)) / (2B),  B = l s + l(l+1)/2,  H = sum_{k=l+1..u} 1/(s+k).
/// Proof. m requests fit however they lie, so nobody starts later than on m workers in the same
/// order, w_j <= sum_{i<j} o_i / m, and the order is independent of the outputs: E TEL <= n mean(o)
/// + n^2 mean(o) / (2m). OPT is at least n mean(o) and at least the volume bound, n^2 E min(v, v')
/// / (2M), v = s o + o(o+1)/2, o and v' of two of the n drawn with replacement. With G(k) = P(o >=
/// k) mean(o) is l + sum_{k>l} G(k) and E min(v, v') is B + sum_{k>l} (s+k) G(k)^2; their ratio is
/// largest where G(k) (s+k) is one number x for k > l: (l + x H) / (B + x^2 H), at most 1/(2x) at B
/// = 2 x l + x^2 H. Domain: 1 <= l <= u <= 1e7, whole, s >= 0. Throws std::domain_error.
double a_max_any_outputs(double l, double u, double s);

/// The same for s = 0 where u divides M, in alpha alone: 1 + (1/alpha)(1 + sqrt(1 + ln(1/alpha) /
/// 2)), as H <= ln(u/l). Theorem 3.4 as printed exceeds it for alpha <= 0.055.
double a_max_any_outputs(double alpha);

/// What A_max does at least have, M = u, s = 0, n to infinity: lengths l 2^i, i = 0 .. K, with
/// u = 2^K l <= l/alpha, of which a share c 2^-i has l 2^i or more. A_max runs one at a time,
///   n^2 mean(o) / 2, mean(o) = l (1 + c K/2);
/// H-SF is at least as fast as u / (l 2^i) at a time,
///   n^2 E min(o, o')^2 / (2u), E min(o, o')^2 = l^2 (1 + 3 c^2 K/4).
/// The best c gives 2^K (1 + sqrt(1 + K/3)) / 2.
double a_max_dyadic(double alpha);

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
