#pragma once

#include "host/experiment/own_order.hh"

#include <string>

namespace crx {

/// Where two canonical JSON texts differ, a line each, indented by two spaces:
///
///     seed: 1 there, 2 here
///     policies[1].id: "a-max" there, absent here
///
/// At most eight lines, long values cut; empty if the texts hold the same. Text that is not JSON is
/// compared whole.
std::string describe_difference(std::string const& there, std::string const& here);

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
