#pragma once

#include "kernels/engines/cell.hh"

namespace crx {

// What a sample of equal ratios is worth. Its variance is 0 and Student's interval has no width,
// yet a ratio that comes up once in a hundred instances is missed by sixteen of them more often
// than not. So such a sample counts as precise only where the ratio cannot vary, or where other
// ratios are so rare, and lie so near, that they cannot move the mean by more than was asked.

/// Whether all instances of the cell give this ratio alike: a policy divided by itself, or a
/// workload and a policy that draw nothing that matters. True is a proof; false may be ignorance.
bool ratio_cannot_vary(Cell const& cell, std::size_t policy, BaselineKind baseline);

/// Whether `count` equal ratios tell the mean ratio to within half_width at this confidence: the
/// ratio cannot vary, or P(another ratio) times the distance to the far end of the range is at most
/// half_width, P as large as `count` instances without one let it be.
///
/// Contract: count >= 1, 0 < confidence < 1, half_width > 0.
bool equal_ratios_suffice(Cell const& cell, std::size_t policy, BaselineKind baseline, double ratio,
                          std::int64_t count, double half_width, double confidence);

} // namespace crx
