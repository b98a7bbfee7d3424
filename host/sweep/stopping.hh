#pragma once

#include "host/experiment/experiment.hh"
#include "host/iteration/path_sums.hh"

#include <functional>

namespace crx {

// A cell's number of instances. Without a half-width it is the target. With one, precision is
// judged at first, 2 first, 4 first, .. instances (and at the target, the most) and nowhere
// between, so the number does not depend on threads, chunks or interruptions. Looking several times
// and stopping at the first narrow interval makes intervals cover less often than they say: of
// skewed ratios 80 % was seen for 95 % (docs/store.md, When a cell has enough).

/// Least number of instances, at or past `reached`, at which a cell is judged; `reached` is one
/// past the last instance in the sums. Never more than the target.
std::int64_t next_checkpoint(StopRule const& stop, std::int64_t reached);

/// Whether a cell judged at a checkpoint needs no more instances: there is no half-width to reach,
/// or every policy's mean ratio over every baseline has one and it is small enough. Equal ratios
/// have an interval of no width, which is believed only by the rule of host/sweep/certainty.hh;
/// `make_cell` is called where it is asked.
bool precise_enough(StopRule const& stop, std::vector<BaselineKind> const& baselines,
                    Tally const& tally, std::function<Cell()> const& make_cell);

/// The same in the iteration model, where the half-width is that of every policy's mean latency at
/// the longest horizon, as a share of it.
bool precise_enough(StopRule const& stop, PathSums const& paths);

} // namespace crx
