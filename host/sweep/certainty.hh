#pragma once

#include "kernels/launch/cell.hh"

#include <optional>

namespace crx {

// What a sample of equal ratios is worth. Its variance is 0 and Student's interval has no width,
// yet a ratio that comes up once in a hundred instances is missed by sixteen of them more often
// than not. So such a sample counts as precise only where the ratio cannot vary, or where other
// ratios are so rare, and lie so near, that they cannot move the mean by more than was asked.

/// Whether all instances of the cell give this ratio alike: a policy divided by itself, or a
/// workload and a policy that draw nothing that matters. True is a proof; false may be ignorance.
bool ratio_cannot_vary(Cell const& cell, std::size_t policy, BaselineKind baseline);

/// Ends of the range of a ratio.
struct RatioRange
{
    double least = 0, most = 0;
};

/// Range in which the ratio lies in every instance of the cell; none where none is known.
///
/// Let m requests fit at once, whichever they are. Under the prefix rule a request waits only while
/// m others run, each for a token a round, so for sum o / m rounds at most; no schedule has a total
/// latency below sum o, and no bound that is divided by is. With n requests, each begun L times at
/// most, TEL <= L sum o (1 + (n - 1) / m), or L sum o where m >= n. None for policies that
/// cancel on overflow with n > m, for the affine clock and for published instances.
std::optional<RatioRange> ratio_range(Cell const& cell, std::size_t policy, BaselineKind baseline);

/// Whether `count` equal ratios tell the mean ratio to within half_width at this confidence: the
/// ratio cannot vary, or P(another ratio) times the distance to the far end of the range is at most
/// half_width, P as large as `count` instances without one let it be.
///
/// Contract: count >= 1, 0 < confidence < 1, half_width > 0.
bool equal_ratios_suffice(Cell const& cell, std::size_t policy, BaselineKind baseline, double ratio,
                          std::int64_t count, double half_width, double confidence);

} // namespace crx
