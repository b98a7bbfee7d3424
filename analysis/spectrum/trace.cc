#include "analysis/spectrum/trace.hh"

#include "analysis/spectrum/compensated_sum.hh"
#include "analysis/spectrum/double_double.hh"
#include "kernels/base/parallel.hh"

namespace crx::spectrum {

namespace {

using Range = tbb::blocked_range<std::int64_t>;
constexpr std::int64_t terms_a_task = 1 << 14;

template <class Term>
double compensated(std::int64_t from, std::int64_t to, Term term)
{
    return crx::parallel_deterministic_reduce(
               Range(from, to, terms_a_task), CompensatedSum{},
               [&](Range const& range, CompensatedSum sum) {
                   for (auto k = range.begin(); k < range.end(); ++k)
                       sum.add(term(static_cast<double>(k)));
                   return sum;
               },
               [](CompensatedSum left, CompensatedSum const& right) {
                   left.add(right);
                   return left;
               })
        .value();
}

// One length's share of the definition, with the entries of docs/model.md#closed-forms and the
// tridiagonal B^-1.
DoubleDouble definition_term(Problem const& problem, std::int64_t length)
{
    DoubleDouble const k = static_cast<double>(length);
    auto const p = DoubleDouble(problem.s) + k; // s + k
    auto const weight = [&](DoubleDouble const& i) { return i * 2.0 - 1.0 + problem.s; };
    auto const own = length == problem.l ? k * p : weight(k);
    auto const diagonal = k * p;
    if (length == problem.u) return diagonal / own;
    auto const next = weight(k + 1.0);
    // a_{k,k+1} = (s+k)/2 (3k+1 - k(s+k)/(s+k+1))
    auto const beside = p * (k * 3.0 + 1.0 - k * p / (p + 1.0)); // 2 a_{k,k+1}
    return diagonal / own + (diagonal - beside) / next;
}

} // namespace

double trace_closed_form(Problem const& problem)
{
    double const s = problem.s;
    return 1 + compensated(problem.l + 1, problem.u + 1, [s](double k) { return 1 / (s + k); });
}

double trace_of_tail_form(Problem const& problem)
{
    auto const weights = problem.weights();
    return 1 + compensated(problem.l + 1, problem.u + 1, [weights](double k) {
               return (0.5 + weights.rest(k, weights.h(k))) / weights.w(k);
           });
}

double trace_by_definition(Problem const& problem)
{
    return crx::parallel_deterministic_reduce(
               Range(problem.l, problem.u + 1, terms_a_task), DoubleDouble{},
               [&](Range const& range, DoubleDouble sum) {
                   for (auto k = range.begin(); k < range.end(); ++k)
                       sum = sum + definition_term(problem, k);
                   return sum;
               },
               [](DoubleDouble const& left, DoubleDouble const& right) { return left + right; })
        .value();
}

} // namespace crx::spectrum
