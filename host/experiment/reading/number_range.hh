#pragma once

#include <cmath>
#include <limits>
#include <string>

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

} // namespace crx
