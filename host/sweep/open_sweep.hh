#pragma once

#include "host/sweep/runner.hh"

namespace crx {

/// How a sweep's store is opened.
struct OpenSettings
{
    std::string store; ///< file to make or continue
    int threads = 0;   ///< of this process; 0: as many as there are processors
    int ranks = 1;     ///< processes of the run
    bool extend = false;
    OnDamage on_damage = OnDamage::refuse;
};

/// A sweep that is ready to run.
struct OpenSweep
{
    std::unique_ptr<RunStore> store;
    SweepSettings settings; ///< without what stops it, and without other processes
};

/// Opens the store of an experiment for the chunks of a backend, and says on standard error what a
/// user should know before hours are spent: what was redone or added, which other programs the
/// store has chunks of, what was left out, and which baselines will have no value. `cells` is
/// grid_cells(plan). Throws as extend_store, threads_to_use and RunStore do.
OpenSweep open_sweep(Experiment const& experiment, Plan const& plan,
                     std::vector<PlannedCell> const& cells, StoreHeader const& header,
                     Backend const& backend, OpenSettings const& open);

} // namespace crx
