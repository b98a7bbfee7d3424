#pragma once

#include "analysis/spectrum/compensated_sum.hh"

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

} // namespace crx::bounds
