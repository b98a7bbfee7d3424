#include "analysis/fluid/batch_need.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <stdexcept>
#include <string>

#ifndef __clang__
// GCC takes limbs that cpp_int does not read for ones that it does.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace crx::fluid {
namespace {

using Whole = boost::multiprecision::cpp_int;

Whole power_of_ten(int exponent)
{
    return boost::multiprecision::pow(Whole(10), static_cast<unsigned>(exponent));
}

/// The least whole number that reaches numerator/denominator, or is above it.
Whole least_whole(Whole const& numerator, Whole const& denominator, bool above)
{
    Whole quotient, rest;
    boost::multiprecision::divide_qr(numerator, denominator, quotient, rest);
    return above || rest != 0 ? Whole(quotient + 1) : quotient;
}

} // namespace

Fraction as_written(double number)
{
    CRX_EXPECT(std::isfinite(number) && number >= 0);
    auto const text = fmt::format("{:.11e}", number); // d.ddddddddddde+xx
    if (std::abs(std::stod(text) - number) > 0x1p-51 * number) return Fraction(number);
    auto const end = text.find('e');
    // A leading zero would make it octal, and only 0 itself has one.
    Whole const digits =
        number == 0 ? Whole(0) : Whole(text.substr(0, 1) + text.substr(2, end - 2));
    auto const exponent = std::stoi(text.substr(end + 1)) - 11;
    return exponent >= 0 ? Fraction(digits * power_of_ten(exponent))
                         : Fraction(digits, power_of_ten(-exponent));
}

BatchNeed::BatchNeed(double overhead, double per_token, double rate)
    : fixed_(rate * overhead), per_token_(rate * per_token)
{
    Fraction const empty = as_written(rate) * as_written(overhead),
                   token = as_written(rate) * as_written(per_token);
    unit_ = boost::multiprecision::lcm(denominator(empty), denominator(token));
    whole_fixed_ = numerator(empty) * (unit_ / denominator(empty));
    whole_per_token_ = numerator(token) * (unit_ / denominator(token));
}

std::int64_t BatchNeed::least(Tokens batch, bool above) const
{
    auto const need = fixed_ + per_token_ * static_cast<double>(batch);
    if (!(need < 0x1p62)) return INT64_MAX;
    // All this is off by a few units of 2^-53: in doubt the sum is exact.
    auto const nearest = std::round(need);
    auto const certain = std::abs(need - nearest) > 1e-13 * need;
    auto const least = certain ? static_cast<std::int64_t>(std::ceil(need))
                               : static_cast<std::int64_t>(least_whole(
                                     whole_fixed_ + whole_per_token_ * batch, unit_, above));
    return std::max<std::int64_t>(1, least);
}

std::int64_t ThresholdClimb::least_reaching(Fraction const& bound) const
{
    if (bound > most_threshold) refuse(fmt::format("are above {}", most_threshold));
    return static_cast<std::int64_t>(least_whole(numerator(bound), denominator(bound), false));
}

std::int64_t ThresholdClimb::least_above(Fraction const& bound) const
{
    if (bound >= most_threshold) refuse(fmt::format("are above {}", most_threshold));
    return static_cast<std::int64_t>(least_whole(numerator(bound), denominator(bound), true));
}

void ThresholdClimb::step(std::int64_t n)
{
    if (n > most_threshold) refuse(fmt::format("are above {}", most_threshold));
    if (++steps_ > most_steps) refuse(fmt::format("are not found in {} steps", most_steps));
}

void ThresholdClimb::check_batch(double tokens) const
{
    if (!(tokens < 0x1p62)) refuse("make a batch of more than 2^62 tokens");
}

void ThresholdClimb::refuse(std::string const& what) const
{
    throw std::domain_error(fmt::format("the least thresholds {}, as 1 - D is only {:.3g}", what,
                                        static_cast<double>(left_)));
}

} // namespace crx::fluid
