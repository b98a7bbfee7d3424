#pragma once

#include "host/sweep/runner.hh"

namespace crx {

/// How a sweep's store is opened.
struct OpenSettings
{
    std::string store; ///< file to make or continue
    int threads = 0;   ///< of this process; 0: as many as there are processors
    int ranks = 1;     ///< processes of the run
};

/// A sweep that is ready to run.
struct OpenSweep
{
    std::unique_ptr<RunStore> store;
    SweepSettings settings; ///< without what stops it
};

/// Who computes, for the store of a process that runs so many threads of a backend, as one of
/// `ranks` processes.
RunInfo run_info_of(Backend const& backend, int threads, int ranks);
/// How a backend's chunks are run.
SweepSettings settings_of(Backend const& backend, int threads);

/// Opens the store of an experiment for the chunks of a backend, and says on standard error what a
/// user should know before hours are spent: what is run again of it, which other programs the
/// store has chunks of, what was left out, and which baselines will have no value. What ranks of
/// runs before left beside the store is taken in. `cells` is grid_cells(plan). Throws as
/// threads_to_use, RunStore and take_in_ranks do.
OpenSweep open_sweep(Experiment const& experiment, std::vector<PlannedCell> const& cells,
                     StoreHeader const& header, Backend const& backend, OpenSettings const& open);

} // namespace crx
