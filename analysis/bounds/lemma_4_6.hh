#pragma once

#include "analysis/bounds/domain.hh"
#include "analysis/spectrum/double_double.hh"

#include <cstdint>
#include <span>

namespace crx::bounds {

/// CHEN Lemma 4.6: total latency of A_min and of H-SF, both in units of n^2/(2M), without the
/// O(1/M) terms, for a composition of lengths.
struct Lemma46
{
    double numerator;   ///< A_min
    double denominator; ///< H-SF
    double ratio() const { return numerator / denominator; }
};

/// Evaluates Lemma 4.6 from weights given one at a time, from the longest length down to the
/// shortest, in O(1) memory.
///
/// All sums are of non-negative terms and are compensated, so there is no cancellation: the error
/// of either value is below 16 units of 2^-53 relative for up to 10^7 lengths. Weights need not sum
/// to 1; the ratio does not change with their scale.
class Lemma46Sum
{
  public:
    /// Domain: s >= 0 finite, shortest >= 1. Throws std::domain_error.
    Lemma46Sum(double shortest, double s);

    /// Adds length k with weight x. Lengths fall by exactly 1 from call to call; the last is
    /// `shortest`. Domain: x >= 0 finite. Throws std::domain_error.
    void add(double k, double x);

    Lemma46 value() const;

  private:
    double shortest_;
    double s_;
    spectrum::CompensatedSum count_;    // sum over i >= k of x_i
    spectrum::CompensatedSum work_;     // sum over i >= k of i x_i
    spectrum::CompensatedSum share_;    // sum over i >= k of x_i / (s+i)
    spectrum::CompensatedSum deferred_; // sum over i > k of (i-k) x_i / (s+i)
    spectrum::CompensatedSum numerator_;
    spectrum::CompensatedSum denominator_;
};

/// Lemma 4.6 for weights x[k-l] of lengths k = l .. l+size-1, in O(size).
/// Domain: l >= 1, s >= 0, weights >= 0 and finite, one positive. Throws std::domain_error.
Lemma46 lemma_4_6(std::span<double const> x, double l, double s);

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

/// H_u = 1 + 1/2 + ... + 1/u, the trace of B^-1 A at l = 1, s = 0, and CHEN's bound on its
/// largest eigenvalue (proof of Theorem 4.3). Error: below 4 units of 2^-53 relative (summed below
/// u = 64, Euler-Maclaurin above). Domain: u >= 1. Throws std::domain_error.
double harmonic_number(std::int64_t u);

/// CHEN Figure 1: 0.2555 ln(u + 0.2793) + 1.1587, a fit to the largest eigenvalue on a finite
/// range. Domain: u >= 1. Throws std::domain_error.
double figure_1_fit(double u);

/// 5/4 + ln(1/alpha)/4: an upper bound on the fluid ratio of A_min at s = 0, for every l <= u with
/// l/u = alpha and every composition. Its slope 1/4 in ln(1/alpha) is the right one.
/// Source: docs/findings/spectrum.md, Theorem 2. Domain: 0 < alpha <= 1. Throws std::domain_error.
double logarithmic_bound(double alpha);

} // namespace crx::bounds
