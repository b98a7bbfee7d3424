#pragma once

#include "analysis/spectrum/tail_operator.hh"

#include <vector>

namespace crx::spectrum {

/// Largest eigenvalue and its tail vector by Lanczos with implicit restarts (Spectra,
/// SymEigsSolver) on the symmetric W^-1/2 M W^-1/2, which is only ever applied.
struct KrylovResult
{
    double value;
    std::vector<double> tail; ///< X, made positive
    int applications;
};

/// Basis vectors Spectra keeps for a problem of n lengths.
int krylov_basis(std::int64_t n);

/// Bytes that solve_krylov needs for n lengths.
double krylov_bytes(std::int64_t n);

/// Domain: at least 3 lengths; krylov_bytes within memory. Throws std::runtime_error if the
/// iteration does not converge.
KrylovResult solve_krylov(TailOperator& op);

} // namespace crx::spectrum
