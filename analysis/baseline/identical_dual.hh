#pragma once

#include "kernels/cpu/single.hh"

#include <optional>

namespace crx::baseline {

/// Whether the requests are all alike and arrive at 0.
bool are_identical(OwnedInstance const& instance);

/// The bound `dual` (docs/model.md#baselines): JAILLET's dual solution (25)-(27) for n identical
/// requests that all arrive at 0, its objective n o + n y - M sum_t lambda_t summed term by term
/// and rounded up to a whole TEL. (The closed form printed after Lemma B.1 replaces the sum by a
/// triangle's area, which is less, so it can exceed OPT.) With beta = 2 s + o + 1:
///   y = beta o n / (2 M) - (o - 1)(3 s + 2 o + 2) / (3 beta),  lambda_t = n / M - 2 (t-1) / (beta
///   o)
/// where these are positive; feasible for the dual by JAILLET Lemma B.1. Where y is not positive
/// the bound is n o, what the requests need alone. Nothing if the requests differ or arrive later,
/// or if it is 2^62 or more.
std::optional<Rounds> identical_dual_bound(OwnedInstance const& instance);

} // namespace crx::baseline
