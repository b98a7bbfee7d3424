#pragma once

#include "host/store/store_header.hh"

#include <functional>

namespace crx {

/// Makes a store one of a larger experiment: with new policies, baselines, sweeps or values of axes
/// beside its own, which keep all their sums. RunStore then opens it as a store of that experiment,
/// and a sweep runs what is missing. Says what was added ("policies a, b; alpha = 0.5, 0.7"); empty
/// where nothing is new or there is no store in that place yet.
///
/// Cells are put aside, under negative numbers, until the experiment asks for them again
/// (RunStore::ensure_cells), so that they come to be numbered as in a store of the larger
/// experiment alone. Those of a refinement that it does not ask for stay there and are not shown.
///
/// Throws InputError where the experiment differs in anything else, with the differences, or where
/// new policies would change the sums of the old ones; then nothing was changed.
std::string
extend_store(std::filesystem::path const& file, StoreHeader const& header,
             std::function<PlannedCell(std::string const&, Coordinates const&)> const& make_cell);

/// What extend_store() would say, without a change to the store. Throws as it does.
std::string
what_extends(std::filesystem::path const& file, StoreHeader const& header,
             std::function<PlannedCell(std::string const&, Coordinates const&)> const& make_cell);

} // namespace crx
