#pragma once

#include "host/bench/measure.hh"
#include "kernels/launch/cell.hh"

namespace crx {

/// How an engine's time for an instance grows along one size, the others held.
struct Growth
{
    std::string policy, engine, along; ///< along: "n = M", "n", "M" or "u"
    std::vector<double> size, seconds;
    double exponent = 0;
    std::string cut; ///< sizes left out for want of time; empty if none
};

/// Fitted growth of both engines for each policy of the benchmark on the two-point case: n = M and
/// n and M from 10^2 to 10^7, u from 25 to 400. Sizes of one curve go on while an instance takes
/// less than its share of `budget` seconds.
std::vector<Growth> measure_growth(double budget);

} // namespace crx
