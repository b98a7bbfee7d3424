#include "analysis/statistics/estimate.hh"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace crx {

double two_sided_quantile(std::int64_t count, double confidence)
{
    CRX_EXPECT(count >= 2 && confidence > 0 && confidence < 1);
    boost::math::students_t const law(static_cast<double>(count - 1));
    return boost::math::quantile(boost::math::complement(law, (1 - confidence) / 2));
}

double unseen_share(std::int64_t count, double confidence)
{
    CRX_EXPECT(count >= 1 && confidence > 0 && confidence < 1);
    return -std::expm1(std::log1p(-confidence) / static_cast<double>(count));
}

namespace {

using QuadFloat = boost::multiprecision::cpp_bin_float_quad;

/// Fills in the errors of a mean by its sample variance. A root of 113 bits is rounded to 53 as one
/// of 100 digits is, and takes a ninth of its time.
void add_errors(Estimate& estimate, BigFloat const& variance, std::int64_t count, double unit,
                double confidence)
{
    QuadFloat const deviation = sqrt(QuadFloat(variance)) * unit;
    estimate.deviation = static_cast<double>(deviation);
    estimate.half_width = static_cast<double>(deviation / sqrt(QuadFloat(count)) *
                                              two_sided_quantile(count, confidence));
}

} // namespace

Estimate estimate_mean(std::int64_t count, BigInteger const& sum, BigInteger const& squares,
                       double unit, double confidence)
{
    CRX_EXPECT(count >= 1);
    Estimate estimate;
    estimate.mean = static_cast<double>(BigFloat(sum) / BigFloat(count) * unit);
    if (count < 2) return estimate;
    BigInteger const n = count;
    BigInteger const spread = n * squares - sum * sum;
    CRX_ENSURE(spread >= 0);
    add_errors(estimate, BigFloat(spread) / BigFloat(BigInteger(n * (n - 1))), count, unit,
               confidence);
    return estimate;
}

Estimate estimate_ratio_of_means(PairSums const& s, double confidence)
{
    CRX_EXPECT(s.count >= 1 && s.denominator > 0);
    Estimate estimate;
    estimate.mean = nearest_quotient(s.numerator, s.denominator);
    if (s.count < 2) return estimate;
    // sum of (numerator - R denominator)^2, times the squared sum of denominators: an integer.
    BigInteger const residual = s.denominator * s.denominator * s.numerator_squares -
                                2 * s.numerator * s.denominator * s.cross +
                                s.numerator * s.numerator * s.denominator_squares;
    CRX_ENSURE(residual >= 0);
    BigInteger const n = s.count;
    BigInteger const squared = s.denominator * s.denominator;
    BigFloat const variance =
        BigFloat(BigInteger(n * n * residual)) / BigFloat(BigInteger((n - 1) * squared * squared));
    add_errors(estimate, variance, s.count, 1, confidence);
    return estimate;
}

Frequency frequency(std::int64_t count, std::int64_t of, double confidence)
{
    auto const k = static_cast<double>(count), n = static_cast<double>(of);
    auto const tail = (1 - confidence) / 2;
    return {count, of, count == 0 ? 0 : boost::math::ibeta_inv(k, n - k + 1, tail),
            count == of ? 1 : boost::math::ibetac_inv(k + 1, n - k, tail)};
}

} // namespace crx
