#include "analysis/spectrum/problem.hh"

#include "analysis/bounds/domain.hh"
#include "analysis/spectrum/double_double.hh"
#include "kernels/base/parallel.hh"

#include <algorithm>
#include <cmath>
#include <string>
#include <unistd.h>

namespace crx::spectrum {

using bounds::require;

void require_problem(Problem const& problem, double bytes)
{
    auto const l = static_cast<double>(problem.l);
    auto const u = static_cast<double>(problem.u);
    require(problem.l >= 1, "l", l, "an integer, at least 1");
    require(problem.u >= problem.l, "u", u,
            fmt::format("an integer, at least l = {}", problem.l).c_str());
    require(problem.u < std::int64_t{1} << 53, "u", u,
            "below 2^53 = 9007199254740992: weights count lengths in doubles");
    require(problem.s >= 0 && problem.s <= 1e15, "s", problem.s, "a number from 0 to 1e15");
    require(8.2 * (u - l + 1) <= bytes, "u", u,
            fmt::format("at most {:.0f} here (8.2 bytes a length in {:.1f} GB of memory)",
                        l - 1 + bytes / 8.2, bytes / 1e9)
                .c_str());
}

double machine_bytes()
{
    auto const pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
    return 0.9 * pages * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

double a_entry(Problem const& problem, std::int64_t i, std::int64_t j)
{
    double const s = problem.s;
    auto const x = static_cast<double>(std::min(i, j));
    auto const y = static_cast<double>(std::max(i, j));
    // i(2-(s+m)/(s+j)) + j(2-(s+m)/(s+i)) with i = m = x: the second bracket is 1.
    return (s + x) / 2 * (x * (2 - (s + x) / (s + y)) + y);
}

double b_entry(Problem const& problem, std::int64_t i, std::int64_t j)
{
    auto const m = static_cast<double>(std::min(i, j));
    return m * (problem.s + m);
}

double tail_weight(Problem const& problem, std::int64_t k)
{
    auto const weights = problem.weights();
    return k == problem.l ? weights.w_first() : weights.w(static_cast<double>(k));
}

double b_inverse_diagonal(Problem const& problem, std::int64_t k)
{
    double const own = 1 / tail_weight(problem, k);
    return k == problem.u ? own : own + 1 / tail_weight(problem, k + 1);
}

double b_inverse_next(Problem const& problem, std::int64_t k)
{
    return -1 / tail_weight(problem, k + 1);
}

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
