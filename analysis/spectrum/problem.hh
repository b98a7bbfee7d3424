#pragma once

#include "kernels/cuda/spectrum_operator.hh"

#include <cstdint>

namespace crx::spectrum {

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

} // namespace crx::spectrum
