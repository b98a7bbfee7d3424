#include "analysis/statistics/paired.hh"

#include <cmath>

namespace crx {

PairedPart paired_part(PairSums const& s)
{
    CRX_EXPECT(s.count >= 1 && s.denominator > 0);
    PairedPart part;
    part.count = s.count;
    part.denominator = s.denominator;
    part.denominator_squares = s.denominator_squares;
    part.ratio = nearest_quotient(s.numerator, s.denominator);
    part.mean_denominator = nearest_quotient(s.denominator, s.count);
    // With D the sum of denominators b, all as integers: D^2 times the sum of e^2, D times that of
    // e b, and count times that of (b - mean b)^2. The sum of e is 0.
    BigInteger const squared = s.denominator * s.denominator;
    BigInteger const squares = squared * s.numerator_squares -
                               2 * s.numerator * s.denominator * s.cross +
                               s.numerator * s.numerator * s.denominator_squares;
    BigInteger const products = s.denominator * s.cross - s.numerator * s.denominator_squares;
    BigInteger const spread = s.count * s.denominator_squares - squared;
    if (spread == 0) {
        part.unexplained = std::sqrt(nearest_quotient(squares, squared));
        return part;
    }
    BigInteger const line = s.count * products * products;
    BigInteger const rest = squares * spread - line;
    BigInteger const common = squared * spread;
    CRX_ENSURE(rest >= 0);
    part.unexplained = std::sqrt(nearest_quotient(rest, common));
    part.explained = std::sqrt(nearest_quotient(line, common)) * (products < 0 ? -1 : 1);
    return part;
}

std::optional<Estimate> paired_difference(PairedPart const& one, PairedPart const& other,
                                          double confidence)
{
    if (one.count != other.count || one.denominator != other.denominator ||
        one.denominator_squares != other.denominator_squares)
        return std::nullopt;
    Estimate estimate;
    estimate.mean = one.ratio - other.ratio;
    if (one.count < 2) return estimate;
    auto const n = static_cast<double>(one.count);
    double const sum =
        std::hypot(one.unexplained + other.unexplained, one.explained - other.explained);
    estimate.deviation = sum / std::sqrt(n - 1) / one.mean_denominator;
    estimate.half_width =
        *estimate.deviation / std::sqrt(n) * two_sided_quantile(one.count, confidence);
    return estimate;
}

} // namespace crx
