#pragma once

#include "analysis/spectrum/problem.hh"

#include <Eigen/Dense>

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

} // namespace crx::spectrum
