#include "analysis/spectrum/krylov.hh"

#include <Spectra/SymEigsSolver.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace crx::spectrum {

namespace {

// W^-1/2 M W^-1/2 as Spectra wants it.
class SymmetricOperator
{
  public:
    using Scalar = double;

    explicit SymmetricOperator(TailOperator& op) : op_(op) {}

    Eigen::Index rows() const { return op_.problem().size(); }
    Eigen::Index cols() const { return rows(); }
    int applications() const { return applications_; }

    void perform_op(double const* input, double* output) const
    {
        auto const& problem = op_.problem();
        auto const n = problem.size();
        for (std::int64_t i = 0; i < n; ++i)
            output[i] = input[i] / std::sqrt(tail_weight(problem, problem.l + i));
        std::span<double> const vector(output, static_cast<std::size_t>(n));
        op_.apply(vector, vector);
        for (std::int64_t i = 0; i < n; ++i)
            output[i] *= std::sqrt(tail_weight(problem, problem.l + i));
        ++applications_;
    }

  private:
    TailOperator& op_;
    mutable int applications_ = 0;
};

} // namespace

int krylov_basis(std::int64_t n) { return static_cast<int>(std::min<std::int64_t>(n, 16)); }

double krylov_bytes(std::int64_t n) { return 8.0 * static_cast<double>(n) * (krylov_basis(n) + 4); }

KrylovResult solve_krylov(TailOperator& op)
{
    auto const& problem = op.problem();
    auto const n = problem.size();
    SymmetricOperator symmetric(op);
    Spectra::SymEigsSolver<SymmetricOperator> solver(symmetric, 1, krylov_basis(n));
    std::vector<double> start(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i)
        start[i] = 1 / std::sqrt(tail_weight(problem, problem.l + i));
    solver.init(start.data());
    solver.compute(Spectra::SortRule::LargestAlge, 200, 1e-13);
    if (solver.info() != Spectra::CompInfo::Successful)
        throw std::runtime_error("the Lanczos iteration did not converge in 200 restarts");

    KrylovResult result{solver.eigenvalues()[0], std::move(start), symmetric.applications()};
    Eigen::VectorXd const vector = solver.eigenvectors(1).col(0);
    for (std::int64_t i = 0; i < n; ++i) {
        // Perron: the exact vector has one sign; rounding may flip entries near zero.
        double const entry = std::max(std::abs(vector[i]), std::numeric_limits<double>::min());
        result.tail[i] = entry / std::sqrt(tail_weight(problem, problem.l + i));
    }
    return result;
}

} // namespace crx::spectrum
