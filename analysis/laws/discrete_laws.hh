#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdint>
#include <vector>

namespace crx {

/// A law of integers as a draw reads it (docs/random-choices.md).
///
/// The word w stands for value[k], k the least with w < threshold[k], or the last value if there is
/// none; so P(value[k]) is exactly (threshold[k] - threshold[k-1]) / 2^64, where the last threshold
/// is read as 2^64 though it is stored as 2^64 - 1.
struct TabulatedLaw
{
    std::vector<std::int32_t> value;      ///< ascending; only values that some word stands for
    std::vector<std::uint64_t> threshold; ///< ascending, as many as values

    bool operator==(TabulatedLaw const&) const = default;
};

/// Whole numbers that sum to n, as near to n w_i / sum w as rounding down and then giving one more
/// to those with the largest remainders (of equal ones the first) comes.
///
/// Contract: n >= 0; weights finite, >= 0, their sum > 0.
/// Source:   the method of Hamilton (1792), as in any text on apportionment.
std::vector<std::int64_t> largest_remainder(std::int64_t n, std::vector<double> const& weights);

/// 113-bit binary floating point in software: a threshold is the exact rounding of 2^64 F for all
/// but one probability in 2^45 or so, and never depends on the machine's mathematical library.
using Real = boost::multiprecision::cpp_bin_float_quad;

/// The law of `value[k]` with probability proportional to `mass[k]`.
///
/// Contract: as many masses as values, values ascending, masses >= 0 with a positive finite sum.
/// Values that no word stands for (mass zero, or far below 2^-64) are left out.
TabulatedLaw tabulate_masses(std::vector<std::int32_t> const& value, std::vector<Real> const& mass);

/// The law with P(X <= value[k]) = cumulative[k] / cumulative.back().
///
/// Contract: as above; `cumulative` ascending and its last element positive.
TabulatedLaw tabulate_cumulative(std::vector<std::int32_t> const& value,
                                 std::vector<Real> const& cumulative);

/// `lower` with probability w, else `upper`.
///
/// Contract: 1 <= lower <= upper, 0 <= w <= 1.
/// Source:   CHEN section 5.1.
TabulatedLaw two_point_law(std::int32_t lower, std::int32_t upper, double w);

/// P(k) proportional to p q^(k-1), p = 1 - q, on k = 1 .. upper; q = 1 is the limit, uniform.
///
/// Contract: 0 <= q <= 1, upper >= 1.
/// Source:   CHEN section 5.2, cut at u and normalised as in docs/model.md#laws.
TabulatedLaw geometric_law(double q, std::int32_t upper);

/// P(k) proportional to k p^2 q^(k-1) on k = 1 .. upper; q = 1 is the limit, proportional to k.
///
/// Contract: 0 <= q <= 1, upper >= 1.
/// Source:   CHEN section 5.3, cut at u and normalised as in docs/model.md#laws.
TabulatedLaw linear_geometric_law(double q, std::int32_t upper);

/// Each of lower .. upper equally likely.
///
/// Contract: lower <= upper.
/// Source:   WANG EC.4.2; its U(1, 51) leaves 51 out, so lower = 1, upper = 50.
TabulatedLaw uniform_law(std::int32_t lower, std::int32_t upper);

/// Successes among `trials` independent trials, plus `shift`.
///
/// Contract: trials >= 0, 0 <= probability <= 1.
/// Source:   WANG EC.4.2 (Binomial(49, 0.5) + 1).
TabulatedLaw binomial_law(std::int32_t trials, double probability, std::int32_t shift);

/// Events of a Poisson process of that rate in a unit of time.
///
/// Contract: 0 < rate <= 10^6.
/// Source:   docs/model.md#laws, Poisson(lambda) arrivals a round.
TabulatedLaw poisson_law(double rate);

/// Mean and variance of a tabulated law, from its thresholds.
struct LawMoments
{
    double mean = 0, variance = 0;
};

LawMoments moments_of(TabulatedLaw const& law);

/// The least value v of the law with P(X <= v) >= p. Contract: 0 < p <= 1.
std::int32_t quantile_of(TabulatedLaw const& law, double p);

} // namespace crx
