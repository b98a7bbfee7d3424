#pragma once

#include "analysis/laws/discrete_laws.hh"

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

// Laws of a real draw that is truncated to an integer and then clipped to lower .. upper, as
// docs/model.md#laws reads WANG EC.4.2: `lower` takes all below lower + 1, `upper` all from upper
// on.

/// Normal with the given mean and standard deviation, truncated, then clipped.
///
/// Contract: deviation > 0, 0 <= lower <= upper.
/// Source:   WANG EC.4.2 (25, 8.33, clipped to [1, 50]).
TabulatedLaw normal_law(double mean, double deviation, std::int32_t lower, std::int32_t upper);

/// Exponential with mean `scale`, truncated, then clipped.
///
/// Contract: scale > 0, 0 <= lower <= upper.
/// Source:   WANG EC.4.2 (scale 5, clipped to [1, 50]).
TabulatedLaw exponential_law(double scale, std::int32_t lower, std::int32_t upper);

/// Prompts of WANG's mixed data: 80 % exponential of mean 10, 20 % lognormal(ln 40, 0.25), draws
/// above 50 replaced by one uniform on (40, 50); truncated, then clipped to [1, 50]. 50 itself has
/// probability zero.
///
/// Source: WANG EC.4.2. The outputs beside them are exponential_law(5, 1, 50).
TabulatedLaw mixed_prompt_law();

} // namespace crx
