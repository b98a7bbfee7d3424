#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace crx {

/// Which numbers a field accepts.
struct NumberRange
{
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool integer = false;
    bool open_low = false, open_high = false; ///< the end itself is not accepted

    bool contains(double x) const
    {
        return (open_low ? x > low : x >= low) && (open_high ? x < high : x <= high) &&
               std::isfinite(x) && (!integer || x == std::floor(x));
    }
    /// "an integer in [1, 50]", "a number in (0, 1]", "a finite number".
    std::string accepted() const;
};

inline NumberRange integers_in(double low, double high) { return {low, high, true, false, false}; }
inline NumberRange numbers_in(double low, double high) { return {low, high, false, false, false}; }
inline NumberRange positive_numbers()
{
    return {0, std::numeric_limits<double>::infinity(), false, true, false};
}

/// The shortest decimal that reads back as x; whole numbers below 2^53 without exponent.
std::string written_number(double x);

/// A decimal as an exact fraction in lowest terms.
struct DecimalFraction
{
    std::int64_t numerator = 0, denominator = 1;
};

/// The shortest decimal that reads back as x, as a fraction: 0.95 is 19/20 though the double is
/// not. Nothing if it needs more than nine decimal places. Contract: 0 <= x <= 1.
std::optional<DecimalFraction> decimal_fraction(double x);

/// The accepted name nearest to a wrong one, by insertions, deletions, changes and exchanges of
/// neighbouring letters; empty if none is near enough to be what was meant.
std::string nearest_name(std::string const& wrong, std::vector<std::string> const& accepted);

/// "a, b, c" and, where one is near, " (did you mean b?)".
std::string listed_with_nearest(std::string const& wrong, std::vector<std::string> accepted);

} // namespace crx
