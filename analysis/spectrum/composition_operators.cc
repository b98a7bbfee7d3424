#include "analysis/spectrum/composition_operators.hh"

#include "analysis/spectrum/compensated_sum.hh"
#include "analysis/spectrum/scan.hh"
#include "analysis/spectrum/tail_operator.hh"

namespace crx::spectrum {

namespace {

void scale_by_weight(Problem const& problem, std::vector<double>& tail)
{
    for (std::int64_t i = 0; i < problem.size(); ++i)
        tail[i] *= tail_weight(problem, problem.l + i);
}

double dot(std::span<double const> a, std::span<double const> b)
{
    CompensatedSum sum;
    for (std::size_t i = 0; i < a.size(); ++i) sum.add(a[i] * b[i]);
    return sum.value();
}

} // namespace

std::vector<double> apply_a(Problem const& problem, std::span<double const> x)
{
    std::vector<double> tail(x.begin(), x.end());
    suffix_sum(tail);
    TailOperator(problem).apply(tail, tail);
    scale_by_weight(problem, tail);
    prefix_sum(tail);
    return tail;
}

std::vector<double> apply_b(Problem const& problem, std::span<double const> x)
{
    std::vector<double> tail(x.begin(), x.end());
    suffix_sum(tail);
    scale_by_weight(problem, tail);
    prefix_sum(tail);
    return tail;
}

std::vector<double> apply_b_inverse(Problem const& problem, std::span<double const> v)
{
    auto const n = problem.size();
    std::vector<double> result(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
        auto const k = problem.l + i;
        result[i] = b_inverse_diagonal(problem, k) * v[i];
        if (i > 0) result[i] += b_inverse_next(problem, k - 1) * v[i - 1];
        if (i + 1 < n) result[i] += b_inverse_next(problem, k) * v[i + 1];
    }
    return result;
}

double rayleigh_quotient(Problem const& problem, std::span<double const> x)
{
    return dot(x, apply_a(problem, x)) / dot(x, apply_b(problem, x));
}

} // namespace crx::spectrum
