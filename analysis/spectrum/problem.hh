#pragma once

#include <cstdint>

namespace crx::spectrum {

/// Weights of CHEN's quadratic variants in tail coordinates, X_k = x_k + ... + x_u (any l, s).
///
/// In them B is the diagonal W and A is M, whose entries are all positive
/// (docs/model.md#closed-forms, a_ij, b_ij differenced in both indices; docs/findings/spectrum.md,
/// Lemma 1):
///
///     W_l = l(s+l),  W_k = 2k-1+s                                   for k > l
///     M_ij = (e_i e_j + f_i h_j)/2                                  for i < j
///     M_ll = l(s+l), M_kk = 1/2 + rest(k) = 1 + (k-1)/(s+k)         for k > l
///
/// with e_l = s+l, e_k = 1; f_l = l(s+l)^2, f_k = k(s+k)^2 - (k-1)(s+k-1)^2;
/// h_k = 1/((s+k)(s+k-1)). Each function has relative error below 8 units of 2^-53: every
/// expression is a sum of non-negative terms. `k` is a length in tokens, as a double (below 2^53).
struct SpectrumWeights
{
    double l; ///< shortest length, tokens, >= 1
    double s; ///< prompt, tokens, >= 0

    double w_first() const { return l * (s + l); }
    double e_first() const { return s + l; }
    double f_first() const { return l * (s + l) * (s + l); }
    double w(double k) const { return 2 * k - 1 + s; }
    double f(double k) const
    {
        double const p = s + k;
        return p * p + (k - 1) * (2 * p - 1);
    }
    double h(double k) const { return 1 / ((s + k) * (s + k - 1)); }
    /// 1/2 + (k-1)/(s+k), from h = h(k) without another division.
    double rest(double k, double h_of_k) const { return 0.5 + (k - 1) * (s + k - 1) * h_of_k; }
};

/// Which quadratic forms: lengths l..u, prompts s (docs/model.md#closed-forms).
struct Problem
{
    std::int64_t l = 1;
    std::int64_t u = 1;
    double s = 0;

    std::int64_t size() const { return u - l + 1; }
    double alpha() const { return static_cast<double>(l) / static_cast<double>(u); }
    SpectrumWeights weights() const { return {static_cast<double>(l), s}; }
};

/// Refuses what is no problem or what this machine cannot hold: 1 <= l <= u < 2^53, s >= 0 finite
/// and at most 1e15, 8(u-l+1) bytes within `bytes`. Throws std::domain_error with what is accepted.
void require_problem(Problem const& problem, double bytes);

/// Memory that a problem may take here, in bytes: nine tenths of what the machine has.
double machine_bytes();

/// Entries of the matrices of docs/model.md#closed-forms, for lengths i and j. Source: CHEN,
/// Corollary 4.8, for all s, l.
double a_entry(Problem const& problem, std::int64_t i, std::int64_t j);
double b_entry(Problem const& problem, std::int64_t i, std::int64_t j);

/// Entries of the tridiagonal B^-1: (B^-1)_kk = 1/W_k + 1/W_{k+1} (the last: 1/W_u), and
/// (B^-1)_{k,k+1} = -1/W_{k+1}. At l = 1, s = 0 this is the table in CHEN, proof of Theorem 4.3.
double b_inverse_diagonal(Problem const& problem, std::int64_t k);
double b_inverse_next(Problem const& problem, std::int64_t k);

/// W_k for any length l <= k <= u.
double tail_weight(Problem const& problem, std::int64_t k);

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
