#include "host/experiment/reading/number_range.hh"

#include <charconv>

namespace crx {

std::string written_number(double x)
{
    if (std::isnan(x)) return "nan"; // whatever its sign
    char buffer[64];
    auto const whole = std::isfinite(x) && x == std::floor(x) && std::abs(x) < 0x1p53;
    auto const end = whole
                         ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<long long>(x))
                         : std::to_chars(buffer, buffer + sizeof buffer, x);
    return {buffer, end.ptr};
}

std::string NumberRange::accepted() const
{
    std::string const kind = integer ? "an integer" : "a number";
    auto const bounded_below = std::isfinite(low), bounded_above = std::isfinite(high);
    if (!bounded_below && !bounded_above) return integer ? "an integer" : "a finite number";
    if (!bounded_above)
        return kind + (open_low ? " above " : " of at least ") + written_number(low);
    return kind + " in " + (open_low ? "(" : "[") + written_number(low) + ", " +
           written_number(high) + (open_high ? ")" : "]");
}

} // namespace crx
