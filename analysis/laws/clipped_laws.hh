#pragma once

#include "analysis/laws/tabulated_law.hh"

namespace crx {

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
