#pragma once

#include "analysis/spectrum/problem.hh"

#include <span>
#include <vector>

namespace crx::spectrum {

/// The operators of CHEN Corollary 4.8 on compositions x (entry k-l belongs to length k), for all l
/// and s, without matrices: O(u) time and memory.
///
/// With N the lower triangle of ones (prefix sums) and N' its transpose (suffix sums),
/// A = N M N' and B = N W N', where M and W are those of SpectrumWeights; so A x is a suffix sum,
/// one TailOperator and a prefix sum.
/// Error: for x >= 0 every entry of A x and B x has relative error below 1000 units of 2^-53, as
/// nothing cancels; for signed x the same times |x|. Sizes must be u-l+1.
std::vector<double> apply_a(Problem const& problem, std::span<double const> x);
std::vector<double> apply_b(Problem const& problem, std::span<double const> x);

/// B^-1 v by its tridiagonal form , entry by entry.
/// Error: neighbours cancel: at most 8 units of 2^-53 times |B^-1| |v|.
std::vector<double> apply_b_inverse(Problem const& problem, std::span<double const> v);

/// x'Ax / x'Bx: Lemma 4.6's ratio in matrix form.
double rayleigh_quotient(Problem const& problem, std::span<double const> x);

} // namespace crx::spectrum
