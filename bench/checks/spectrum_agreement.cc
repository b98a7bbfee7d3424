// rho by dense linear algebra and by the operators for every u = 1 .. LAST (default 2000), l = 1,
// s = 0. Slow (minutes); exits 1 if any pair differs by more than 1e-12 relative.
//
// Dense means: A and B filled entry by entry; Eigen's generalised self-adjoint solver at every u up
// to FULL (default 300) and at every 100th; at the others the largest eigenvalue of L^-1 A L^-T,
// reduced densely once at LAST. Its leading blocks are the reduced matrices of all smaller u,
// because B is nested and L is triangular, so each u costs a Lanczos run on a dense block.

#include "analysis/spectrum/dominant.hh"

#include <Spectra/MatOp/DenseSymMatProd.h>
#include <Spectra/SymEigsSolver.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace crx::spectrum;

namespace {

double largest_of_block(Eigen::MatrixXd const& reduced, Eigen::Index u)
{
    Eigen::MatrixXd const block = reduced.topLeftCorner(u, u);
    Spectra::DenseSymMatProd<double> product(block);
    Spectra::SymEigsSolver<Spectra::DenseSymMatProd<double>> solver(
        product, 1, static_cast<int>(std::min<Eigen::Index>(u, 16)));
    solver.init();
    solver.compute(Spectra::SortRule::LargestAlge, 300, 1e-14);
    return solver.eigenvalues()[0];
}

/// The symmetric L^-1 A L^-T with B = L L^T, at the largest u. Because B at a smaller u is a
/// leading block of B, and L is triangular, its leading blocks serve every smaller u with the same
/// l and s.
Eigen::MatrixXd dense_reduced(Problem const& problem)
{
    Eigen::LLT<Eigen::MatrixXd> const factor(dense_b(problem));
    Eigen::MatrixXd reduced = factor.matrixL().solve(dense_a(problem));
    return factor.matrixL().solve(reduced.transpose());
}

} // namespace

int main(int argc, char** argv)
{
    int const last = argc > 1 ? std::atoi(argv[1]) : 2000;
    int const full = argc > 2 ? std::atoi(argv[2]) : 300;
    if (last < 1 || last > 20'000) {
        std::fprintf(stderr, "LAST = %s is not accepted: must be from 1 to 20000\n", argv[1]);
        return 2;
    }
    auto const reduced = dense_reduced({1, last, 0});
    double worst_full = 0;
    double worst_block = 0;
    int full_count = 0;
    int block_count = 0;
    for (int u = 1; u <= last; ++u) {
        double const ours = solve_dominant({1, u, 0}).rho;
        if (u <= full || u % 100 == 0) {
            double const dense = dense_eigenvalues({1, u, 0}).maxCoeff();
            worst_full = std::max(worst_full, std::abs(ours / dense - 1));
            ++full_count;
        }
        if (u > 2) {
            worst_block = std::max(worst_block, std::abs(ours / largest_of_block(reduced, u) - 1));
            ++block_count;
        }
    }
    std::printf("full dense solver, %d values of u: worst relative difference %.2g\n", full_count,
                worst_full);
    std::printf("dense reduction, %d values of u:   worst relative difference %.2g\n", block_count,
                worst_block);
    return worst_full <= 1e-12 && worst_block <= 1e-12 ? 0 : 1;
}
