#include "analysis/claims/trial.hh"

#include <algorithm>
#include <fmt/format.h>

namespace crx::claims {

bool less(Quotient a, Quotient b)
{
    return static_cast<__int128>(a.num) * b.den < static_cast<__int128>(b.num) * a.den;
}

void Trial::at_most(Quotient measured, Quotient bound)
{
    ++cases_;
    // measured > percent / 100 bound; each factor is below 2^60 / 100 in every short form.
    auto const left = static_cast<__int128>(measured.num) * bound.den * 100;
    auto const right = static_cast<__int128>(bound.num) * measured.den * stated_.bound_percent;
    if (left > right) ++violations_;
    closest_ = std::max(closest_, measured.value() / bound.value());
}

void Trial::at_most(double measured, double bound, double slack)
{
    ++cases_;
    if (!(measured <= bound * stated_.bound_percent / 100 * (1 + slack))) ++violations_;
    closest_ = std::max(closest_, measured / bound);
}

void Trial::expect(bool holds)
{
    ++cases_;
    if (!holds) ++violations_;
}

bool Trial::counts(Claim const& claim, OwnedInstance const& instance)
{
    auto const met = [&](Hypothesis const& h) { return h.met == nullptr || h.met(instance); };
    if (!stated_.hypotheses || std::ranges::all_of(claim.hypotheses, met)) return true;
    leave_out();
    return false;
}

std::string Trial::figures() const
{
    auto text = fmt::format("{} cases, {} against the claim", cases_, violations_);
    if (closest_ > 0) text += fmt::format(", the nearest at {:.4g} of the bound", closest_);
    if (left_out_ > 0) text += fmt::format("; {} outside the hypotheses left out", left_out_);
    return text;
}

Fresh Trial::verdict(Verdict if_kept, std::string const& more) const
{
    auto text = figures();
    if (!more.empty()) text += "; " + more;
    return {kept() ? if_kept : Verdict::broken, text};
}

} // namespace crx::claims
