#pragma once

#include "analysis/baseline/hindsight.hh"

#include <nlohmann/json.hpp>

namespace crx {

/// The best schedule of `result` with the prices that bound the optimum from below, in numbers that
/// check_optimum_certificate follows by itself (docs/witnesses.md). Throws RunError where
/// `result` has no prices.
nlohmann::ordered_json optimum_certificate(OwnedInstance const& instance,
                                           baseline::Hindsight const& result);

} // namespace crx
