#pragma once

#include "kernels/base/host_device.cuh"

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

namespace crx::fluid {

using Fraction = boost::multiprecision::cpp_rational;

/// A number as it was written, exactly: the decimal of 12 digits that it is but for rounding, as
/// short sums of such decimals are too, or else the double itself. Contract: finite, not negative.
Fraction as_written(double number);

/// Prompts of a type that arrive while a batch of M tokens runs, rate (d0 + d1 M). The numbers
/// count as written and the sum is exact: equality is met or not, with no tolerance.
class BatchNeed
{
  public:
    BatchNeed(double overhead, double per_token, double rate);

    /// The least whole number that is at least as many, and at least 1; INT64_MAX from 2^62 on.
    std::int64_t least_reaching(Tokens batch) const { return least(batch, false); }
    /// The least whole number that is more; likewise.
    std::int64_t least_above(Tokens batch) const { return least(batch, true); }

  private:
    std::int64_t least(Tokens batch, bool above) const;

    double fixed_, per_token_;
    boost::multiprecision::cpp_int whole_fixed_, whole_per_token_, unit_; // over one denominator
};

/// Ends the search for least thresholds where 1 - D is next to nothing: they are about (prompts of
/// an empty batch) / (1 - D), and rounding several types up takes steps in that proportion too.
class ThresholdClimb
{
  public:
    static constexpr std::int64_t most_threshold = 1'000'000'000;
    static constexpr std::int64_t most_steps = 20'000'000; ///< a second, or less

    /// `left`: 1 - D. Contract: above 0.
    explicit ThresholdClimb(Fraction left) : left_(std::move(left)) {}

    Fraction const& left() const { return left_; }
    /// A real number below which no threshold can be, as a whole one to start from. Throws
    /// std::domain_error where it is too large.
    std::int64_t least_reaching(Fraction const& bound) const;
    std::int64_t least_above(Fraction const& bound) const;
    /// Another step, which made a threshold n. Throws std::domain_error past what is allowed.
    void step(std::int64_t n);
    /// Tokens of a batch, reckoned with no limit. Throws std::domain_error if 64 bits do not hold
    /// them.
    void check_batch(double tokens) const;

  private:
    [[noreturn]] void refuse(std::string const& what) const;

    Fraction left_;
    std::int64_t steps_ = 0;
};

} // namespace crx::fluid
