#pragma once

#include "host/store/extension/holdings.hh"
#include "host/sweep/plan.hh"

namespace crx {

/// The part of a cell that has to run for the sums in `missing`: its policies that lack something,
/// divided by the baselines that some policy lacks. Every policy draws what it draws in the whole
/// cell; for that one more policy may run.
struct RestrictedCell
{
    std::shared_ptr<Cell const> cell;              ///< of the round model
    std::shared_ptr<IterationSetting const> paths; ///< of the iteration model
    std::vector<std::size_t> policies;             ///< of the whole cell, in this order
};

RestrictedCell restricted_cell(Plan const& plan, std::shared_ptr<Cell const> const& cell,
                               std::shared_ptr<IterationSetting const> const& paths,
                               Holdings const& missing);

} // namespace crx
