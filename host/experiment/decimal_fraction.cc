#include "host/experiment/decimal_fraction.hh"

#include "kernels/base/host_device.cuh"

#include <charconv>
#include <numeric>
#include <string>

namespace crx {

std::optional<DecimalFraction> decimal_fraction(double x)
{
    CRX_EXPECT(x >= 0 && x <= 1);
    char buffer[400];
    auto const end = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed).ptr;
    std::string const text(buffer, end);
    auto const point = text.find('.');
    auto const places = point == std::string::npos ? 0 : text.size() - point - 1;
    if (places > 9) return {};
    DecimalFraction fraction;
    for (char c : text)
        if (c != '.') fraction.numerator = 10 * fraction.numerator + (c - '0');
    for (std::size_t i = 0; i < places; ++i) fraction.denominator *= 10;
    auto const divisor = std::gcd(fraction.numerator, fraction.denominator);
    return DecimalFraction{fraction.numerator / divisor, fraction.denominator / divisor};
}

} // namespace crx
