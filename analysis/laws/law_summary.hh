#pragma once

#include "analysis/laws/tabulated_law.hh"

namespace crx {

/// Mean and variance of a tabulated law, from its thresholds.
struct LawMoments
{
    double mean = 0, variance = 0;
};

LawMoments moments_of(TabulatedLaw const& law);

/// The least value v of the law with P(X <= v) >= p. Contract: 0 < p <= 1.
std::int32_t quantile_of(TabulatedLaw const& law, double p);

} // namespace crx
