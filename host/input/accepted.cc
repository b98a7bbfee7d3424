#include "host/input/accepted.hh"

#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>

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

namespace {

/// Optimal string alignment distance.
std::size_t edit_distance(std::string const& a, std::string const& b)
{
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto const change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

} // namespace

std::string nearest_name(std::string const& wrong, std::vector<std::string> const& accepted)
{
    if (wrong.size() > 100) return {};
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
    for (auto const& name : accepted) {
        auto const distance = edit_distance(wrong, name);
        if (distance < best_distance) {
            best_distance = distance;
            best = name;
        }
    }
    return best;
}

std::string listed_with_nearest(std::string const& wrong, std::vector<std::string> accepted)
{
    std::sort(accepted.begin(), accepted.end());
    accepted.erase(std::unique(accepted.begin(), accepted.end()), accepted.end());
    std::string out;
    for (auto const& name : accepted) out += (out.empty() ? "" : ", ") + name;
    auto const nearest = nearest_name(wrong, accepted);
    return nearest.empty() ? out : out + " (did you mean " + nearest + "?)";
}

} // namespace crx
