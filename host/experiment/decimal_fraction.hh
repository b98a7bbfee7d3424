#pragma once

#include <cstdint>
#include <optional>

namespace crx {

/// A decimal as an exact fraction in lowest terms.
struct DecimalFraction
{
    std::int64_t numerator = 0, denominator = 1;
};

/// The shortest decimal that reads back as x, as a fraction: 0.95 is 19/20 though the double is
/// not. Nothing if it needs more than nine decimal places. Contract: 0 <= x <= 1.
std::optional<DecimalFraction> decimal_fraction(double x);

} // namespace crx
