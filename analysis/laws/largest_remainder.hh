#pragma once

#include <cstdint>
#include <vector>

namespace crx {

/// Whole numbers that sum to n, as near to n w_i / sum w as rounding down and then giving one more
/// to those with the largest remainders (of equal ones the first) comes.
///
/// Contract: n >= 0; weights finite, >= 0, their sum > 0.
/// Source:   the method of Hamilton (1792), as in any text on apportionment.
std::vector<std::int64_t> largest_remainder(std::int64_t n, std::vector<double> const& weights);

} // namespace crx
