#pragma once

#include "analysis/claims/claim.hh"

#include <cstdint>

namespace crx::claims {

/// A number as a quotient of whole ones. Contract: den > 0.
struct Quotient
{
    std::int64_t num = 0, den = 1;
    double value() const { return static_cast<double>(num) / static_cast<double>(den); }
};

/// a < b, exactly.
bool less(Quotient a, Quotient b);

/// Counts the cases of a short form and keeps the one that is nearest to the bound.
class Trial
{
  public:
    explicit Trial(Stated const& stated) : stated_(stated) {}

    /// measured <= bound, exactly.
    void at_most(Quotient measured, Quotient bound);
    /// measured <= bound for positive doubles; `slack` is what rounding may add, relative.
    void at_most(double measured, double bound, double slack = 0);
    /// An identity or another yes or no, as one case.
    void expect(bool holds);
    /// A case that the hypotheses leave out; not counted.
    void leave_out() { ++left_out_; }
    /// Whether an instance counts: it meets the hypotheses that are properties of instances, or
    /// the claim is stated without them.
    bool counts(Claim const& claim, OwnedInstance const& instance);

    Stated const& stated() const { return stated_; }
    std::int64_t cases() const { return cases_; }
    std::int64_t violations() const { return violations_; }
    bool kept() const { return violations_ == 0 && cases_ > 0; }
    double closest() const { return closest_; } ///< largest measured / bound; 0 without one
    /// "1,234 cases, none above the bound, the nearest at 0.943 of it".
    std::string figures() const;
    /// The recorded word if nothing was violated, else `broken`.
    Fresh verdict(Verdict if_kept, std::string const& more = {}) const;

  private:
    Stated stated_;
    std::int64_t cases_ = 0, violations_ = 0, left_out_ = 0;
    double closest_ = 0;
};

} // namespace crx::claims
