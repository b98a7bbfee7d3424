#include "analysis/spectrum/dominant.hh"

#include "analysis/spectrum/tail_operator.hh"
#include "kernels/base/parallel.hh"

#include <Spectra/SymEigsSolver.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

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

namespace {

constexpr double eta = TailOperator::relative_error;
constexpr std::int64_t krylov_limit = std::int64_t{1} << 20;

// e_k/W_k: what the rank-one part of M makes of anything; close to the dominant vector at large u.
std::vector<double> start_vector(Problem const& problem)
{
    std::vector<double> tail(static_cast<std::size_t>(problem.size()));
    auto const weights = problem.weights();
    tail[0] = 1 / weights.l;
    crx::parallel_for(std::int64_t{1}, problem.size(), [&](std::int64_t i) {
        tail[i] = 1 / weights.w(static_cast<double>(problem.l + i));
    });
    return tail;
}

std::int64_t count_rises(std::vector<double> const& tail)
{
    using Range = tbb::blocked_range<std::size_t>;
    return crx::parallel_deterministic_reduce(
        Range(1, tail.size(), 1 << 14), std::int64_t{0},
        [&](Range const& range, std::int64_t count) {
            for (auto i = range.begin(); i < range.end(); ++i) count += !(tail[i] <= tail[i - 1]);
            return count;
        },
        std::plus<>());
}

// What one step proves about the largest eigenvalue, given the theta it was taken with.
struct Bracket
{
    double rho;
    double lower;
    double upper;
    double residual;
};

Bracket certify(Problem const& problem, SpectrumStep const& step, double theta)
{
    Bracket result{};
    double const shift = step.cross / step.norm2;
    result.rho = theta + shift;
    // ||Y - rho X||^2 = ||Y - theta X||^2 - (rho - theta)^2 ||X||^2: rho is the best theta.
    result.residual = std::sqrt(std::max(0.0, step.residual2 / step.norm2 - shift * shift));
    double const rounding = 2 * eta * result.rho;
    result.lower = std::max(step.low * (1 - 2 * eta), result.rho - rounding);
    result.upper = step.high * (1 + 2 * eta);
    constexpr double second = 0.75;
    if (problem.s == 0 && result.rho - rounding > second) {
        double const residual = result.residual + rounding;
        result.upper =
            std::min(result.upper, result.rho + rounding +
                                       residual * residual / (result.rho - rounding - second));
    }
    return result;
}

} // namespace

double Dominant::error() const { return std::max(upper - rho, rho - lower); }

Dominant solve_dominant(Problem const& problem, Options const& options)
{
    require_problem(problem, machine_bytes());
    auto const clock = [] { return std::chrono::steady_clock::now(); };
    auto const start = clock();
    auto const n = problem.size();
    bool const krylov = n >= 3 && (options.method == Method::krylov ||
                                   (options.method == Method::automatic && n <= krylov_limit));
    Dominant result{};
    double theta = 1; // x = e_l has the ratio 1
    std::vector<double> tail;
    TailOperator op(problem);
    result.bytes = 8.0 * static_cast<double>(n) + op.bytes();
    if (krylov) {
        auto solved = solve_krylov(op);
        theta = solved.value;
        result.iterations = solved.applications;
        result.bytes += krylov_bytes(n);
        tail = std::move(solved.tail);
    } else {
        tail = start_vector(problem);
    }
    Bracket best{theta, 0, std::numeric_limits<double>::infinity(), 0};
    // For s > 0 the spectrum reaches below zero, as far as -rho; a shift of rho/2 keeps power
    // steps contracting by at least 3/5, and every quotient stays valid because they are taken
    // before the shift.
    for (int i = 0; i < options.most_steps && !result.converged; ++i) {
        double const shift = problem.s > 0 ? theta / 2 : 0;
        auto const step = op.step(tail, theta, shift);
        ++result.iterations;
        auto const bracket = certify(problem, step, theta);
        best = {bracket.rho, std::max(best.lower, bracket.lower),
                std::min(best.upper, bracket.upper), bracket.residual};
        result.converged = best.upper - best.lower <= options.tolerance * best.rho;
        theta = bracket.rho;
    }
    result.rho = best.rho;
    result.lower = best.lower;
    result.upper = best.upper;
    result.residual = best.residual;
    result.negative_entries = count_rises(tail);
    if (options.keep_vector) {
        double const scale = 1 / tail[0];
        for (auto& entry : tail) entry *= scale;
        result.tail = std::move(tail);
    }
    result.seconds = std::chrono::duration<double>(clock() - start).count();
    return result;
}

} // namespace crx::spectrum
