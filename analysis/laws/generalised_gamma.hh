#pragma once

#include "analysis/laws/tabulate.hh"

#include <optional>

namespace crx {

/// What is published of a sample of lengths: all that the fit below needs.
struct LengthFigures
{
    std::int32_t largest = 0; ///< support 1 .. largest
    double mean = 0, variance = 0;
    std::int32_t median = 0;
};

/// The generalised gamma law (Stacy 1962, doi:10.1214/aoms/1177704481) on the integers 1 ..
/// largest: P(k) proportional to k^(shape - 1) exp(-(k / scale)^power).
struct GeneralisedGamma
{
    Real shape, log_scale, power;
};

/// Contract: power > 0, largest >= 1.
TabulatedLaw generalised_gamma_law(GeneralisedGamma const& parameters, std::int32_t largest);

/// Where a fit starts: any rough guess serves.
struct FitStart
{
    double shape = 0.3, scale = 100, power = 1;
};

/// The parameters at which the law has the mean and the variance and splits evenly at the median:
/// P(X < median) + P(X = median) / 2 = 1/2. Three equations for three parameters, solved by
/// Newton's method with halved steps, in software floating point, so that every machine finds the
/// same thresholds.
///
/// None if it does not converge: figures that no such law has. Contract: 1 <= median <= largest,
/// variance > 0, start.scale > 0, start.power > 0.
std::optional<GeneralisedGamma> fit_generalised_gamma(LengthFigures const& figures,
                                                      FitStart const& start);

} // namespace crx
