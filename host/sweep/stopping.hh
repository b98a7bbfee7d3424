#pragma once

#include "host/experiment/experiment.hh"
#include "host/experiment/paths.hh"
#include "kernels/engines/cell.hh"

#include <functional>
#include <optional>

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

/// Ends of the range of a ratio.
struct RatioRange
{
    double least = 0, most = 0;
};

/// Range in which the ratio lies in every instance of the cell; none where none is known.
///
/// Let m requests fit at once, whichever they are. Under the prefix rule a request waits only while
/// m others run, each for a token a round, so for sum o / m rounds at most; no schedule has a total
/// latency below sum o, and no denominator lies below it but dual, which only tends to. With n
/// requests, each begun L times at most, TEL <= L sum o (1 + (n - 1) / m), or L sum o where m >= n;
/// the denominator is at most that of mc-sf. None for policies that cancel on overflow with n > m,
/// for protect and clear, for the affine clock and for published instances.
std::optional<RatioRange> ratio_range(Cell const& cell, std::size_t policy, BaselineKind baseline);

// A cell's number of instances. Without a half-width it is the target. With one, precision is
// judged at first, 2 first, 4 first, .. instances (and at the target, the most) and nowhere
// between, so the number does not depend on threads, chunks or interruptions. An interval of few
// rare values is mostly too narrow, and stopping at the first narrow one picks those: so the five
// farthest values may carry a fifth of the variance at most (docs/store.md, When a cell has
// enough).

/// Least number of instances, at or past `reached`, at which a cell is judged; `reached` is one
/// past the last instance in the sums. Never more than the target.
std::int64_t next_checkpoint(StopRule const& stop, std::int64_t reached);

/// Whether a cell judged at a checkpoint needs no more instances: there is no half-width to reach,
/// or every policy's mean ratio over every baseline has one, it is small enough and does not rest
/// on a few values. Equal ratios have an interval of no width, which is believed only by the rule
/// above; `cell_of` is called where it is asked.
bool precise_enough(StopRule const& stop, std::vector<BaselineKind> const& baselines,
                    Tally const& tally,
                    std::function<std::shared_ptr<Cell const>()> const& cell_of);

/// The same in the iteration model, where the half-width is that of every policy's mean latency at
/// the longest horizon, as a share of it.
bool precise_enough(StopRule const& stop, PathSums const& paths);

} // namespace crx
