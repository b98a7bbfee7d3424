#pragma once

#include "host/store/run_store.hh"
#include "host/sweep/backend.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/plan.hh"
#include "host/sweep/progress.hh"

namespace crx {

struct SweepSettings
{
    std::vector<Executor> executors;
    int threads = 0;            ///< 0: as many as there are processors
    double chunk_seconds = 0.3; ///< about how long a chunk takes
    /// A chunk that was guessed too large ends after this many times as long.
    static constexpr double overtime = 4;
    std::function<bool()> stop_asked = [] { return false; };
};

struct SweepSummary
{
    std::int64_t cells = 0;
    std::int64_t instances = 0;        ///< in these cells
    std::int64_t instances_before = 0; ///< of them, in the store before this run
    double seconds = 0;
    std::int64_t imprecise = 0; ///< cells that have their most instances and not their half-width
};

/// Brings every cell of the grids, and then of the refinements round by round, to its target, and
/// keeps each chunk in the store as soon as it is done. What is in the store at the end does not
/// depend on threads, chunks or interruptions.
///
/// `cells` is grid_cells(plan). Throws RunError when asked to stop, when a launch fails or when the
/// store cannot take a chunk; the message says what was kept and how to go on.
SweepSummary run_sweep(Plan const& plan, std::vector<PlannedCell> const& cells, RunStore& store,
                       SweepSettings const& settings, Progress& progress);

/// Runs these instances and no others, where the store does not have them yet: a shard's part of an
/// experiment. The store's cells get the indices of `work`. Throws as run_sweep does.
SweepSummary run_share(Plan const& plan, std::vector<CellRanges> const& work, RunStore& store,
                       SweepSettings const& settings, Progress& progress);

} // namespace crx
