#include "analysis/bounds/lemma_4_6.hh"

#include "analysis/bounds/domain.hh"
#include "analysis/spectrum/double_double.hh"

#include <cmath>
#include <numbers>

namespace crx::bounds {

Lemma46Sum::Lemma46Sum(double shortest, double s) : shortest_(shortest), s_(s)
{
    require(shortest >= 1 && std::isfinite(shortest), "l", shortest, "a finite number, at least 1");
    require(s >= 0 && std::isfinite(s), "s", s, "a finite number, at least 0");
}

void Lemma46Sum::add(double k, double x)
{
    require(x >= 0 && std::isfinite(x), "x", x, "a finite weight, at least 0");
    double const delta = k == shortest_ ? s_ + k : 1;
    // Seen from k, every longer request has one token more to go than seen from k+1.
    deferred_.add(share_);
    denominator_.add(k * (s_ + k) * x * (x + 2 * count_.value()));
    count_.add(x);
    work_.add(k * x);
    share_.add(x / (s_ + k));
    numerator_.add(delta * work_.value() * (delta * share_.value() + 2 * deferred_.value()));
}

Lemma46 Lemma46Sum::value() const { return {numerator_.value(), denominator_.value()}; }

Lemma46 lemma_4_6(std::span<double const> x, double l, double s)
{
    Lemma46Sum sum(l, s);
    for (auto i = x.size(); i-- > 0;) sum.add(l + static_cast<double>(i), x[i]);
    auto const value = sum.value();
    require(value.denominator > 0, "sum of x", value.denominator, "positive");
    return value;
}

double a_random_as_printed(double alpha)
{
    require(alpha > 0 && alpha <= 1, "alpha", alpha, "in (0, 1]");
    return (1 + 1 / alpha) / 2;
}

double a_random_two_point(TwoPointShape const& shape, double t)
{
    require_shape(shape);
    require(t >= 0 && std::isfinite(t), "t", t, "a finite number, at least 0");
    double const ab = shape.a * shape.b;
    if (t > largest_to_square) { // divided by t^2, which would be infinite
        double const r = 1 / t;
        return (r + 1) * (r + ab) / (ab + 2 * ab * r + r * r);
    }
    return (1 + t) * (1 + ab * t) / (ab * t * t + 2 * ab * t + 1);
}

double a_random_two_point_supremum(TwoPointShape const& shape)
{
    require_shape(shape);
    return (1 + 1 / shape.g()) / 2;
}

double a_random_composition(std::span<double const> x, double l, double s)
{
    spectrum::CompensatedSum count;
    spectrum::CompensatedSum volume;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double const k = l + static_cast<double>(i);
        count.add(x[i]);
        volume.add(k * (s + k) * x[i]);
    }
    return count.value() * volume.value() / lemma_4_6(x, l, s).denominator;
}

double harmonic_number(std::int64_t u)
{
    require(u >= 1, "u", static_cast<double>(u), "an integer, at least 1");
    if (u < 64) {
        double sum = 0;
        for (auto k = u; k >= 1; --k) sum += 1 / static_cast<double>(k);
        return sum;
    }
    // The next term, 1/(240 u^8), is below 1e-16 relative from u = 64 on.
    double const n = static_cast<double>(u);
    double const square = n * n;
    return std::log(n) + std::numbers::egamma + 1 / (2 * n) - 1 / (12 * square) +
           1 / (120 * square * square) - 1 / (252 * square * square * square);
}

double figure_1_fit(double u)
{
    require(u >= 1 && std::isfinite(u), "u", u, "a finite number, at least 1");
    return 0.2555 * std::log(u + 0.2793) + 1.1587;
}

double logarithmic_bound(double alpha)
{
    require(alpha > 0 && alpha <= 1, "alpha", alpha, "in (0, 1]");
    return 1.25 + std::log(1 / alpha) / 4;
}

} // namespace crx::bounds
