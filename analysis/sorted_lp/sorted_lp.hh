#pragma once

#include "analysis/sorted_lp/relaxation.hh"
#include "kernels/cpu/single.hh"

namespace crx::sorted_lp {

/// The requests by (y, o, index), y their mean starts in 2^-20 rounds (WANG Algorithm 6, lines
/// 2-5). Contract: one mean start a request.
std::vector<std::size_t> sorted_lp_order(OwnedInstance const& instance,
                                         std::vector<double> const& mean_start);

/// WANG Algorithm 7, lines 5-18: again and again a batch of sum (s + o) <= M is filled from the
/// waiting requests by (y, o, index), skipping what does not fit, then one inside is exchanged for
/// one outside while that fits and lowers F, that is the sum of outputs: both sides scanned by
/// (y, o, index), the first improving pair taken, and from the start again. Each batch goes to the
/// order by (o, y, index). Contract: as above, every request fits.
std::vector<std::size_t> lp_swap_order(OwnedInstance const& instance,
                                       std::vector<double> const& mean_start);

/// What a run came from.
struct SortedLpRun
{
    SingleRun run;
    Relaxation relaxation;
};

/// WANG's Sorted-LP and LP-Swap: the prefix rule (docs/model.md#prefix-rule) in these orders. The
/// optimum of the program is not unique, and the order depends on which solution is found: compare
/// values, not orders. Contract: all arrivals at 0, every request fits.
SortedLpRun execute_sorted_lp(OwnedInstance const& instance,
                              RelaxationSettings const& settings = {});
SortedLpRun execute_lp_swap(OwnedInstance const& instance, RelaxationSettings const& settings = {});

} // namespace crx::sorted_lp
