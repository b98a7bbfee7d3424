#pragma once

#include "host/sweep/plan.hh"
#include "host/sweep/progress.hh"

namespace crx {

/// The plan with denominators that tell `progress` while they are searched for or solved, one
/// instance of which may take minutes. Contract: progress outlives it.
Plan with_watched_baselines(Plan plan, Progress& progress);

} // namespace crx
