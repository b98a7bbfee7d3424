#pragma once

#include "kernels/engines/cell.hh"

#include <optional>

namespace crx {

/// Ends of the range of a ratio.
struct RatioRange
{
    double least = 0, most = 0;
};

/// Range in which the ratio lies in every instance of the cell; none where none is known.
///
/// Let m requests fit at once, whichever they are. Under the prefix rule a request waits only while
/// m others run, each for a token a round, so for sum o / m rounds at most; no schedule has a total
/// latency below sum o, and no denominator lies below it but dual, lp and clique_lp, which only
/// tend to. With n requests, each begun L times at most, TEL <= L sum o (1 + (n - 1) / m), or L sum
/// o where m >= n; the denominator is at most that of mc-sf. None for policies that cancel on
/// overflow with n > m, for protect and clear, for the affine clock and for published instances.
std::optional<RatioRange> ratio_range(Cell const& cell, std::size_t policy, BaselineKind baseline);

} // namespace crx
