#pragma once

#include <span>

namespace crx::spectrum {

/// values[i] <- values[0] + ... + values[i], in parallel, O(n) time and O(n/256) extra memory.
/// Blocks of 256 are summed plainly and joined by compensated sums in index order: the same bits on
/// any number of threads. Error: at most 258 units of 2^-53 times the sum of absolute values.
void prefix_sum(std::span<double> values);

/// values[i] <- values[i] + ... + values[n-1]; otherwise as prefix_sum.
void suffix_sum(std::span<double> values);

} // namespace crx::spectrum
