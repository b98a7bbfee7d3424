#pragma once

#include "host/bench/measure.hh"
#include "kernels/engines/cell.hh"

#include <optional>
#include <string>
#include <vector>

namespace crx {

/// How an engine's time for an instance grows along one size, the others held.
struct Growth
{
    std::string policy, engine, along; ///< along: "n = M", "n", "M" or "u"
    std::vector<double> size = {}, seconds = {};
    std::vector<double> left_out = {};         ///< sizes that were not measured for want of time
    std::optional<double> exponent = {};       ///< of time in size; none from fewer than two sizes
    std::optional<double> large_exponent = {}; ///< the same from large_size on
};

/// Where the cohort engine's time is no longer to grow with n and M together.
inline constexpr double large_size = 1e4;

/// Fitted growth of both engines for each policy of the benchmark on the two-point case: n = M and
/// n and M from 10^2 to 10^7, u from 25 to 400. Takes the cheapest next size of any curve, by
/// twelve times its last, while that fits into what is left of `budget` seconds.
std::vector<Growth> measure_growth(double budget);

} // namespace crx
