#pragma once

#include "analysis/plot/figure.hh"
#include "host/experiment/iteration_setting.hh"
#include "host/simulate/path_replay.hh"
#include "host/simulate/run_report.hh"
#include "kernels/cpu/policy_run.hh"

namespace crx {

/// Which run a figure shows.
struct ReplayPlace
{
    std::int64_t cell = 0, instance = 0; ///< instance: of the iteration model the path
    std::size_t slices = 1000;           ///< as in plot::TimelineTexts
};

/// What was run: an instance of a cell under the policy of that label. A source draws n and M too.
RunSubject subject_of(Cell const& cell, CellReplay const& replay, SingleRun const& run,
                      std::string const& label);

/// Memory and requests over the time of a run of the round model.
plot::Figure instance_figure(ReplayPlace const& place, RunSubject const& subject,
                             SingleRun const& run);

/// The same of a path of the iteration model, up to its last horizon.
plot::Figure path_figure(ReplayPlace const& place, IterationPolicyEntry const& policy,
                         PathReplay const& run);

} // namespace crx
