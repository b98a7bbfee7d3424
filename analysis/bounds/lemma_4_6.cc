#include "analysis/bounds/lemma_4_6.hh"

#include "analysis/bounds/domain.hh"

#include <cmath>

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

} // namespace crx::bounds
