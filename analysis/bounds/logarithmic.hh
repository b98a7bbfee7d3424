#pragma once

#include <cstdint>

namespace crx::bounds {

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
