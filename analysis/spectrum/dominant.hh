#pragma once

#include "analysis/spectrum/problem.hh"
#include "analysis/spectrum/tail_operator.hh"

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

namespace crx::spectrum {

/// A and B of docs/model.md#closed-forms entry by entry, u-l+1 squared: the reference, O(u^2)
/// memory.
Eigen::MatrixXd dense_a(Problem const& problem);
Eigen::MatrixXd dense_b(Problem const& problem);

/// All eigenvalues of A x = lambda B x, ascending, by Eigen's generalised self-adjoint solver
/// (Cholesky of B, tridiagonalisation): O(u^3). The reference for the operators.
Eigen::VectorXd dense_eigenvalues(Problem const& problem);

/// Largest eigenvalue and the composition x that has it, with x's sum made positive.
struct DenseDominant
{
    double value;
    Eigen::VectorXd composition;
};
DenseDominant dense_dominant(Problem const& problem);

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

/// How the eigenvector is found. The certificate is the same for all.
enum class Method
{
    automatic, ///< krylov to 2^20 lengths, power beyond
    krylov,    ///< Lanczos (Spectra), then power steps until the bracket is closed
    power      ///< power steps in place: one vector of memory
};

struct Options
{
    Method method = Method::automatic;
    double tolerance = 1e-12; ///< stop when upper - lower <= tolerance * rho
    int most_steps = 400;     ///< or after so many applications
    bool keep_vector = false; ///< return the tail vector
};

/// The largest eigenvalue of B^-1 A, which is the supremum of Lemma 4.6's ratio over all
/// compositions on l..u: B^-1 A has no negative entry, so its dominant vector is a composition
/// (docs/findings/spectrum.md, Theorem 1).
///
/// lower <= exact value <= upper is proven, rounding included:
/// - lower: the Rayleigh quotient of the vector, less twice TailOperator::relative_error; and
///   min_k (W^-1 M X)_k / X_k (Collatz-Wielandt; M >= 0, X > 0).
/// - upper: max_k of the same quotients; and at s = 0, where the second eigenvalue is at most 3/4
///   (Theorem 2), theta + r^2/(theta - 3/4) with r the residual in the B^-1-norm (Kato-Temple).
struct Dominant
{
    double rho; ///< the Rayleigh quotient
    double lower;
    double upper;
    double residual;               ///< ||A x - rho B x|| in the B^-1-norm, of x with x'Bx = 1
    int iterations;                ///< applications of the operator, O(u) each
    bool converged;                ///< the tolerance was met
    std::int64_t negative_entries; ///< k with x_k = X_k - X_{k+1} < 0: zero if x is a composition
    double bytes;                  ///< memory of vectors and block sums
    double seconds;
    std::vector<double> tail; ///< X_k = sum_{i>=k} x_i if asked for, X_l = 1

    /// Largest distance of rho from the exact value that the bracket allows.
    double error() const;
};

/// Domain: a valid problem within `machine_bytes()`. Throws std::domain_error.
Dominant solve_dominant(Problem const& problem, Options const& options = {});

} // namespace crx::spectrum
