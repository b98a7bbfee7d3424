#include "analysis/fluid/thresholds.hh"

#include "analysis/fluid/nested_groups.hh"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <fmt/core.h>
#include <limits>
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

namespace {

std::int64_t need_of(BatchNeed const& need, Tokens batch, Margin margin)
{
    return margin == Margin::at_least ? need.least_reaching(batch) : need.least_above(batch);
}

std::vector<BatchNeed> needs_of(Load const& load)
{
    std::vector<BatchNeed> needs;
    for (auto const rate : load.rate) needs.emplace_back(load.overhead, load.per_token, rate);
    return needs;
}

std::vector<double> reaching(std::vector<PromptType> const& types, std::vector<double> const& rate,
                             std::vector<Tokens> const& ends)
{
    std::vector<double> sums(ends.size(), 0.0); // rate of those that reach segment i
    for (std::size_t j = 0; j < types.size(); ++j)
        for (std::size_t i = 0; i < ends.size(); ++i)
            if (i == 0 || types[j].output > ends[i - 1]) sums[i] += rate[j];
    return sums;
}

} // namespace

Tokens wait_batch_tokens(std::vector<PromptType> const& types,
                         std::vector<std::int64_t> const& thresholds)
{
    Tokens sum = 0;
    for (std::size_t j = 0; j < types.size(); ++j)
        sum += thresholds[j] * tokens_of_all_stages(types[j]);
    return sum;
}

std::optional<std::vector<std::int64_t>> least_wait_thresholds(Load const& load, Margin margin)
{
    utilisation(load);   // refuses what is no load
    Fraction tokens = 0; // per second
    for (std::size_t j = 0; j < load.types.size(); ++j)
        tokens += as_written(load.rate[j]) * tokens_of_all_stages(load.types[j]);
    Fraction const left = 1 - as_written(load.per_token) * tokens;
    if (left <= 0) return {};
    ThresholdClimb climb(left);
    // A batch of thresholds with (9) takes d0 + D times itself or longer.
    Fraction const shortest = as_written(load.overhead) / left;
    std::vector<std::int64_t> n;
    for (auto const rate : load.rate) {
        Fraction const bound = as_written(rate) * shortest;
        n.push_back(margin == Margin::at_least
                        ? std::max<std::int64_t>(1, climb.least_reaching(bound))
                        : climb.least_above(bound));
    }
    auto const needs = needs_of(load);
    for (bool risen = true; risen;) {
        risen = false;
        double reckoned = 0;
        for (std::size_t j = 0; j < n.size(); ++j)
            reckoned += static_cast<double>(n[j]) *
                        static_cast<double>(tokens_of_all_stages(load.types[j]));
        climb.check_batch(reckoned);
        auto const batch = wait_batch_tokens(load.types, n);
        for (std::size_t j = 0; j < n.size(); ++j) {
            auto const need = need_of(needs[j], batch, margin);
            climb.step(need);
            if (need <= n[j]) continue;
            n[j] = need;
            risen = true;
        }
    }
    return n;
}

std::string broken_wait_condition(Load const& load, std::vector<std::int64_t> const& thresholds,
                                  Margin margin)
{
    auto const batch = wait_batch_tokens(load.types, thresholds);
    auto const time = load.overhead + load.per_token * static_cast<double>(batch);
    auto const needs = needs_of(load);
    for (std::size_t j = 0; j < thresholds.size(); ++j) {
        if (thresholds[j] >= need_of(needs[j], batch, margin)) continue;
        return fmt::format("AO (9): type {} has threshold {} but {:.6g} arrivals are expected in a "
                           "full batch of {:.6g} s",
                           j, thresholds[j], load.rate[j] * time, time);
    }
    return {};
}

NestedLoad nested_load(Load const& load, std::vector<Tokens> const& ends)
{
    return nested_load(load, ends, {load.rate});
}

NestedLoad nested_load(Load const& load, std::vector<Tokens> const& ends,
                       std::vector<std::vector<double>> const& rate)
{
    utilisation(load); // refuses what is no load
    for (auto const& type : load.types)
        if (type.prompt != load.types.front().prompt)
            throw std::domain_error("prompt lengths differ: Nested WAIT takes one group for each");
    Tokens longest = 0;
    for (auto const& type : load.types) longest = std::max(longest, type.output);
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (ends[i] < 1 || (i > 0 && ends[i] <= ends[i - 1]))
            throw std::domain_error(
                fmt::format("segments overlap: segment {} ends at stage {}, the one before at {}",
                            i + 1, ends[i], i > 0 ? ends[i - 1] : 0));
    if (ends.empty() || ends.back() < longest)
        throw std::domain_error(
            fmt::format("the last segment must end at the longest output, {}", longest));
    NestedLoad out{load.overhead,
                   load.per_token,
                   load.types.front().prompt,
                   ends,
                   0,
                   std::vector<double>(ends.size() - 1, 0.0)};
    for (auto const& slice : rate) {
        auto const sums = reaching(load.types, slice, ends);
        out.rate = std::max(out.rate, sums.front());
        for (std::size_t i = 0; i + 1 < ends.size(); ++i)
            if (sums[i] > 0) out.passing[i] = std::max(out.passing[i], sums[i + 1] / sums[i]);
    }
    return out;
}

Tokens nested_batch_tokens(Tokens prompt, std::vector<Tokens> const& ends,
                           std::vector<std::int64_t> const& thresholds)
{
    Tokens sum = 0, first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        auto const stages = ends[i] - first + 1;
        sum += thresholds[i] * (stages * prompt + stages * (first + ends[i]) / 2);
        first = ends[i] + 1;
    }
    return sum;
}

double nested_batch_tokens_as_printed(Tokens prompt, std::vector<Tokens> const& ends,
                                      std::vector<std::int64_t> const& thresholds)
{
    double sum = 0, total = 0, last = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        auto const end = static_cast<double>(ends[i]);
        total += end;
        sum += static_cast<double>(thresholds[i]) * (static_cast<double>(prompt) + total / 2) *
               (end - last);
        last = end;
    }
    return sum;
}

double nested_utilisation(NestedLoad const& load)
{
    double sum = 0, rate = load.rate;
    for (std::size_t i = 0; i < load.ends.size(); ++i) {
        std::vector<std::int64_t> one(load.ends.size(), 0);
        one[i] = 1;
        sum += rate * static_cast<double>(nested_batch_tokens(load.prompt, load.ends, one));
        if (i < load.passing.size()) rate *= load.passing[i];
    }
    return load.per_token * sum;
}

std::optional<std::vector<std::int64_t>> least_nested_thresholds(NestedLoad const& load)
{
    auto const groups = least_group_thresholds({load}, {{}});
    if (!groups) return {};
    return groups->front();
}

std::string broken_nested_condition(NestedLoad const& load,
                                    std::vector<std::int64_t> const& thresholds)
{
    return broken_group_condition({load}, {thresholds});
}

double decay_rate(std::int64_t before, std::int64_t n, double p)
{
    auto const b = static_cast<double>(before), m = static_cast<double>(n);
    if (!(p > 0 && p <= 1))
        throw std::domain_error(fmt::format("p = {} is not accepted: must be in (0, 1]", p));
    if (n >= before) return std::numeric_limits<double>::infinity(); // p = 1 too: nobody leaves
    if (!(m > b * p))
        throw std::domain_error(fmt::format(
            "no bound: threshold {} must exceed p times the one before, {:.6g}", n, b * p));
    auto const bound = decay_rate_lower_bound(before, n, p);
    // Where n exceeds p times `before` by rounding alone, the equation has no root that rounding
    // leaves to be found; the bound is on the safe side of it.
    if (m - b * p <= 8 * std::numeric_limits<double>::epsilon() * b) return bound;
    // log of (16) over theta's sign change; theta + log(p + (1-p) e^-theta) does not overflow.
    auto const g = [&](double theta) {
        return -m * theta + b * (theta + std::log1p((1 - p) * std::expm1(-theta)));
    };
    auto low = bound, high = 2 * low;
    while (g(high) <= 0) high *= 2;
    while (g(low) >= 0) low /= 2; // where rounding puts the bound past the root
    std::uintmax_t steps = 200;
    auto const bracket = boost::math::tools::toms748_solve(
        g, low, high, boost::math::tools::eps_tolerance<double>(50), steps);
    return (bracket.first + bracket.second) / 2;
}

double decay_rate_lower_bound(std::int64_t before, std::int64_t n, double p)
{
    auto const b = static_cast<double>(before);
    return 8 * (static_cast<double>(n) - b * p) / b;
}

MemoryBound memory_bound(NestedLoad const& load, std::vector<std::int64_t> const& thresholds,
                         double horizon, double delta)
{
    MemoryBound bound{};
    bound.batch = static_cast<double>(nested_batch_tokens(load.prompt, load.ends, thresholds));
    bound.iterations =
        std::ceil(horizon / (load.overhead +
                             load.per_token * static_cast<double>(thresholds[0] * load.prompt)));
    auto const segments = static_cast<double>(thresholds.size());
    for (std::size_t j = 1; j < thresholds.size(); ++j) {
        auto const held = static_cast<double>(load.prompt + load.ends[j - 1]);
        auto const theta = decay_rate(thresholds[j - 1], thresholds[j], load.passing[j - 1]);
        bound.queues += static_cast<double>(thresholds[j]) * held;
        bound.deviations += std::log((segments - 1) * bound.iterations / delta) / theta * held;
    }
    return bound;
}

double wait_queue_bound(double expected_arrivals, std::int64_t n)
{
    auto const m = static_cast<double>(n);
    return 2 * m + expected_arrivals / (2 * (m - expected_arrivals));
}

double nested_queue_bound(std::int64_t before, std::int64_t n, double p)
{
    auto const mean = static_cast<double>(before) * p, m = static_cast<double>(n);
    return m + mean * (1 - p) / (2 * (m - mean));
}

} // namespace crx::fluid
