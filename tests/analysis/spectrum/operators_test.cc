#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/tail_operator.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>

namespace crx::spectrum {
namespace {

Problem any_problem(int most_lengths)
{
    auto const l = *rc::gen::inRange(1, 50);
    auto const size = *rc::gen::inRange(1, most_lengths);
    return {l, l + size - 1, *rc::gen::element(0.0, 0.25, 1.0, 10.0, 1000.0)};
}

std::vector<double> any_vector(std::int64_t size)
{
    std::vector<double> x(static_cast<std::size_t>(size));
    for (auto& entry : x) entry = *rc::gen::inRange(-1000, 1000) / 16.0;
    return x;
}

// A = N M N' and B = N W N': N the lower triangle of ones, M and W those of SpectrumWeights.
std::vector<double> tails(std::vector<double> const& x) // N' x
{
    std::vector<double> tail(x.size());
    std::partial_sum(x.rbegin(), x.rend(), tail.rbegin());
    return tail;
}

std::vector<double> weighted_sums(Problem const& problem, std::vector<double> tail) // N W tail
{
    for (std::size_t i = 0; i < tail.size(); ++i)
        tail[i] *= tail_weight(problem, problem.l + static_cast<std::int64_t>(i));
    std::partial_sum(tail.begin(), tail.end(), tail.begin());
    return tail;
}

std::vector<double> apply_a(Problem const& problem, std::vector<double> const& x)
{
    auto tail = tails(x);
    TailOperator(problem).apply(tail, tail); // W^-1 M
    return weighted_sums(problem, std::move(tail));
}

std::vector<double> apply_b(Problem const& problem, std::vector<double> const& x)
{
    return weighted_sums(problem, tails(x));
}

std::vector<double> apply_b_inverse(Problem const& problem, std::vector<double> const& v)
{
    std::vector<double> result(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        auto const k = problem.l + static_cast<std::int64_t>(i);
        result[i] = b_inverse_diagonal(problem, k) * v[i];
        if (i > 0) result[i] += b_inverse_next(problem, k - 1) * v[i - 1];
        if (i + 1 < v.size()) result[i] += b_inverse_next(problem, k) * v[i + 1];
    }
    return result;
}

// |a - b| within `units` of 2^-53 of what adding absolute values gives.
bool close(std::vector<double> const& a, Eigen::VectorXd const& b, Eigen::VectorXd const& size,
           double units)
{
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= units * 0x1p-53 * size[i])) return false;
    return true;
}

// 2200 units: two sums and a dense product of 600 entries, and 300 of the operator.
RC_GTEST_PROP(Operators, AreTheMatrices, ())
{
    auto const problem = any_problem(600);
    auto const x = any_vector(problem.size());
    Eigen::Map<Eigen::VectorXd const> const v(x.data(), problem.size());
    auto const a = dense_a(problem);
    auto const b = dense_b(problem);
    RC_ASSERT(close(apply_a(problem, x), a * v, a * v.cwiseAbs(), 2200));
    RC_ASSERT(close(apply_b(problem, x), b * v, b * v.cwiseAbs(), 2200));
    // A planted fault of one part in 10^9 in s is seen.
    if (v.cwiseAbs().maxCoeff() > 0) {
        auto other = problem;
        other.s += 1e-9 * static_cast<double>(problem.u);
        RC_ASSERT(!close(apply_b(other, x), b * v, b * v.cwiseAbs(), 2200) || v.isZero());
    }
}

RC_GTEST_PROP(Operators, TridiagonalFormInvertsB, ())
{
    auto const problem = any_problem(300);
    auto const n = problem.size();
    auto const b = dense_b(problem);
    Eigen::MatrixXd product(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
        std::vector<double> column(b.col(j).data(), b.col(j).data() + n);
        auto const unit = apply_b_inverse(problem, column);
        product.col(j) = Eigen::Map<Eigen::VectorXd const>(unit.data(), n);
    }
    // Entries of B reach u(s+u) and are differenced twice and divided by W >= s+2l+1.
    double const u = static_cast<double>(problem.u);
    double const scale = 16 * 0x1p-53 * u * (problem.s + u);
    RC_ASSERT((product - Eigen::MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff() < scale);
}

RC_GTEST_PROP(Operators, BInverseTimesAHasNoNegativeEntry, ())
{
    // Theorem 1: why the dominant vector is a composition.
    auto const problem = any_problem(60);
    auto const a = dense_a(problem);
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
        std::vector<double> column(a.col(j).data(), a.col(j).data() + a.rows());
        for (double const entry : apply_b_inverse(problem, column))
            RC_ASSERT(entry > -16 * 0x1p-53 * a.col(j).maxCoeff());
    }
}

TEST(Operators, BInverseIsThePublishedTableAtNoPrompt)
{
    Problem const problem{1, 30, 0};
    for (int i = 1; i <= 30; ++i) {
        double const published = i < 30 ? 4.0 * i / (4.0 * i * i - 1) : 1.0 / 59;
        EXPECT_NEAR(b_inverse_diagonal(problem, i), published, 1e-15);
        if (i < 30) {
            EXPECT_NEAR(b_inverse_next(problem, i), -1.0 / (2 * i + 1), 1e-16);
        }
        for (int j = 1; j <= 30; ++j) {
            double const m = std::min(i, j);
            EXPECT_NEAR(a_entry(problem, i, j), m * m / (i * j) * ((i + j) * (i + j) / 2.0 - m * m),
                        1e-12);
        }
    }
}

TEST(Operators, BothMatricesArePositiveDefiniteAtNoPrompt)
{
    // Lemma 4.9. Eigenvalues scale like 1/u^3 and u^3, so the check keeps to small u.
    for (int const u : {1, 2, 10, 60}) {
        Problem const problem{1, u, 0};
        EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(dense_a(problem)).info(), Eigen::Success);
        EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(dense_b(problem)).info(), Eigen::Success);
    }
}

TEST(Operators, AIsIndefiniteWithAPrompt)
{
    // The lemma does not survive s > 0, and with it rho <= trace falls.
    EXPECT_LT(dense_eigenvalues({1, 2, 10})[0], -0.01);
    EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(dense_a({1, 2, 0})).info(), Eigen::Success);
}

TEST(TailOperator, SameBitsOnAnyNumberOfThreads)
{
    Problem const problem{3, 300'000, 2};
    auto const run = [&](std::size_t threads) {
        tbb::global_control const limit(tbb::global_control::max_allowed_parallelism, threads);
        std::vector<double> x(static_cast<std::size_t>(problem.size()), 1.0);
        TailOperator op(problem);
        auto const step = op.step(x, 2.5, 0.5);
        x.push_back(step.norm2);
        x.push_back(step.cross);
        x.push_back(step.residual2);
        return x;
    };
    EXPECT_EQ(run(1), run(4));
}

} // namespace
} // namespace crx::spectrum
