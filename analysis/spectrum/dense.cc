#include "analysis/spectrum/dense.hh"

namespace crx::spectrum {

namespace {

template <class Entry>
Eigen::MatrixXd fill(Problem const& problem, Entry entry)
{
    auto const n = static_cast<Eigen::Index>(problem.size());
    Eigen::MatrixXd matrix(n, n);
    for (Eigen::Index j = 0; j < n; ++j)
        for (Eigen::Index i = 0; i < n; ++i)
            matrix(i, j) = entry(problem, problem.l + i, problem.l + j);
    return matrix;
}

} // namespace

Eigen::MatrixXd dense_a(Problem const& problem) { return fill(problem, a_entry); }

Eigen::MatrixXd dense_b(Problem const& problem) { return fill(problem, b_entry); }

Eigen::VectorXd dense_eigenvalues(Problem const& problem)
{
    Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> const solver(
        dense_a(problem), dense_b(problem), Eigen::EigenvaluesOnly);
    return solver.eigenvalues();
}

DenseDominant dense_dominant(Problem const& problem)
{
    Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> const solver(dense_a(problem),
                                                                           dense_b(problem));
    auto const last = solver.eigenvalues().size() - 1;
    Eigen::VectorXd composition = solver.eigenvectors().col(last);
    if (composition.sum() < 0) composition = -composition;
    return {solver.eigenvalues()[last], composition};
}

} // namespace crx::spectrum
