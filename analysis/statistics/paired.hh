#pragma once

#include "analysis/statistics/estimate.hh"

namespace crx {

/// What a paired comparison needs of one policy: of the residuals e = cost - R denominator, where R
/// is the ratio of means, the part that a line in the denominator does not explain and the part
/// that it does.
struct PairedPart
{
    std::int64_t count = 0;
    double ratio = 0;            ///< R
    double mean_denominator = 0; ///< over the instances
    double unexplained = 0;      ///< root of the sum of squares of what the line leaves
    double explained = 0;        ///< slope times the root of the denominators' sum of squares
    BigInteger denominator, denominator_squares; ///< to tell whether two met the same instances
};

/// Contract: count >= 1, the sum of denominators positive.
PairedPart paired_part(PairSums const& sums);

/// R of one policy minus R of another on the same instances; none where the sums show that these
/// were not the same, as where one policy did not finish all.
///
/// The variance of a paired difference needs the sum of products of the two costs, which no store
/// keeps. But both costs' products with the denominator are kept, and with them the residuals'
/// covariance lies between two ends (the 3 by 3 matrix of covariances has no negative eigenvalue).
/// `deviation` and `half_width` are those at the end that makes them largest: by Minkowski's
/// inequality the root of (u1 + u2)^2 + (x1 - x2)^2, u unexplained and x explained. So the interval
/// always contains the usual one of a paired comparison, and it is that one where one of the two
/// costs is a line in the denominator, as the denominator's own policy.
std::optional<Estimate> paired_difference(PairedPart const& one, PairedPart const& other,
                                          double confidence);

} // namespace crx
