#pragma once

#include "host/experiment/experiment.hh"

namespace crx {

/// The experiment of a store, read again from its text, overrides and folder. Throws InputError or
/// ConfigError if it cannot be, as where a trace is no longer in its place.
Experiment read_stored_experiment(std::filesystem::path const& store);

/// A cell of a store ready to be executed again, with its experiment.
struct StoredWork
{
    Experiment experiment;
    PlannedCell cell;
    std::vector<std::filesystem::path> traces; ///< files that were read for it
};

/// Cell number `index` of a store. Throws InputError if there is none, or if the cell would not be
/// the same any more (a changed trace, another version); the difference is shown.
StoredWork read_stored_cell(std::filesystem::path const& store, std::int64_t index);

} // namespace crx
