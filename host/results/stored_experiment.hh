#pragma once

#include "host/experiment/own_order.hh"

namespace crx {

/// A cell of a store ready to be executed again, with its experiment.
struct StoredWork
{
    Experiment experiment;
    PlannedCell cell;
    std::vector<std::filesystem::path> traces; ///< files that were read for it
};

/// Cell number `index` of a store. Throws InputError if there is none, or if the cell would not be
/// the same any more (a changed trace, another version), the difference being shown, or if the
/// experiment cannot be read again, as where a trace is no longer in its place.
StoredWork read_stored_cell(std::filesystem::path const& store, std::int64_t index,
                            OwnOrders const& own = {});

} // namespace crx
