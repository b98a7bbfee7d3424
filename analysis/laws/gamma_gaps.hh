#pragma once

#include <cstdint>
#include <vector>

namespace crx {

/// Gaps between arrivals of mean 1, as GapLaw (kernels/model/arrivals.cuh) draws them.
struct TabulatedGaps
{
    std::vector<std::uint64_t> end;       ///< of each cell, in 2^-48, ascending
    std::vector<std::uint64_t> threshold; ///< P(gap <= end), in 2^-64; of the last cell 2^64 - 1
};

/// Gamma gaps of mean 1 and that coefficient of variation (standard deviation over mean), uniform
/// within cells that are 2^(1/32) times as long as the one before. From 2^-44 on the distribution
/// function is within 2^-11 of the gamma law's; the mean is within 10^-4 of 1. Thresholds are
/// computed in software (Real), so they are the same on every machine.
///
/// Contract: 0.25 <= variation <= 16. 1 is the exponential law.
/// Source:   shape 1 / variation^2; its distribution function by the series of Abramowitz and
///           Stegun (1964), 6.5.29, whose terms are all positive.
TabulatedGaps gamma_gaps(double variation);

inline constexpr double least_variation = 0.25, most_variation = 16;

} // namespace crx
