#pragma once

#include "analysis/laws/tabulated_law.hh"

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace crx {

/// 113-bit binary floating point in software: a threshold is the exact rounding of 2^64 F for all
/// but one probability in 2^45 or so, and never depends on the machine's mathematical library.
using Real = boost::multiprecision::cpp_bin_float_quad;

/// The law of `value[k]` with probability proportional to `mass[k]`.
///
/// Contract: as many masses as values, values ascending, masses >= 0 with a positive finite sum.
/// Values that no word stands for (mass zero, or far below 2^-64) are left out.
TabulatedLaw tabulate_masses(std::vector<std::int32_t> const& value, std::vector<Real> const& mass);

/// The law with P(X <= value[k]) = cumulative[k] / cumulative.back().
///
/// Contract: as above; `cumulative` ascending and its last element positive.
TabulatedLaw tabulate_cumulative(std::vector<std::int32_t> const& value,
                                 std::vector<Real> const& cumulative);

} // namespace crx
