#include "analysis/bounds/geometric.hh"

#include "analysis/bounds/domain.hh"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crx::bounds {

namespace {

// Longest length whose weight can still be told from zero: q^(k-1) >= 1e-40.
std::int64_t last_length(double q, std::int64_t u)
{
    if (q == 1) return u;
    if (q == 0) return 1;
    double const k = 1 + std::log(1e-40) / std::log(q);
    return k < static_cast<double>(u) ? static_cast<std::int64_t>(k) + 1 : u;
}

template <class Weight>
double ratio_of_law(double q, std::int64_t u, double s, Weight weight)
{
    require(q >= 0 && q <= 1, "q", q, "in [0, 1]");
    require(u >= 1, "u", static_cast<double>(u), "an integer, at least 1");
    Lemma46Sum sum(1, s);
    for (auto k = last_length(q, u); k >= 1; --k)
        sum.add(static_cast<double>(k), weight(static_cast<double>(k)));
    return sum.value().ratio();
}

} // namespace

double geometric_ratio(double q, std::int64_t u, double s)
{
    return ratio_of_law(q, u, s, [q](double k) { return std::pow(q, k - 1); });
}

double linear_geometric_ratio(double q, std::int64_t u, double s)
{
    return ratio_of_law(q, u, s, [q](double k) { return k * std::pow(q, k - 1); });
}

double geometric_ratio_unbounded(double q)
{
    require(q >= 0 && q <= 1, "q", q, "in [0, 1]");
    // ln(1+q)/q loses nothing through log1p; only q = 0 itself is a removable point.
    double const log_term = q > 0 ? std::log1p(q) / q : 1;
    return geometric_closed_form(q, log_term);
}

double geometric_ratio_limit() { return 10 - 12 * std::log(2.0); }

double linear_geometric_ratio_unbounded(double q)
{
    require(q >= 0 && q <= 1, "q", q, "in [0, 1]");
    auto const polynomial = [q](auto... coefficients) {
        double value = 0;
        ((value = value * q + coefficients), ...);
        return value;
    };
    // Both polynomials are palindromes, so the order of their coefficients does not matter.
    return (1 + q) * (1 + q) * polynomial(1., 3., 6., 3., 1.) /
           polynomial(1., 2., 11., 8., 11., 2., 1.);
}

namespace {

// Ratio at 1-q = 10^-decades.
double ratio_at(Law law, double s, double decades)
{
    constexpr auto uncut = std::int64_t{1} << 40;
    double const q = 1 - std::pow(10.0, -decades);
    return law == Law::geometric ? geometric_ratio(q, uncut, s)
                                 : linear_geometric_ratio(q, uncut, s);
}

} // namespace

LawSupremum law_supremum(Law law, double s)
{
    require(s >= 0 && s <= 50, "s", s, "in [0, 50]");
    double const limit =
        law == Law::geometric ? geometric_ratio_limit() : linear_geometric_ratio_unbounded(1);
    constexpr double most_decades = 3;
    constexpr double step = 1.0 / 64;
    double best = 0;
    double best_value = 0;
    for (double decades = step; decades <= most_decades; decades += step) {
        double const value = ratio_at(law, s, decades);
        if (value > best_value) {
            best_value = value;
            best = decades;
        }
    }
    if (limit >= best_value) return {limit, 1, true};
    double low = best - step;
    double high = best + step;
    double const ratio = 1 / std::numbers::phi;
    while (high - low > 1e-7) {
        double const left = high - ratio * (high - low);
        double const right = low + ratio * (high - low);
        if (ratio_at(law, s, left) > ratio_at(law, s, right))
            high = right;
        else
            low = left;
    }
    double const decades = (low + high) / 2;
    return {ratio_at(law, s, decades), 1 - std::pow(10.0, -decades), false};
}

} // namespace crx::bounds
