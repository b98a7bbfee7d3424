#pragma once

#include "host/results/stored_panels.hh"

#include <nlohmann/json.hpp>

namespace crx {

/// What pictures and reports are made from (docs/protocol.md): the panels of a store with axes,
/// series, curves and fits, what the small print says, and where the numbers come from. `contents`
/// is as with_horizons() splits it, `name` stands for the store in messages and commands, `only` is
/// the number of the one panel that is asked for. A panel that cannot be drawn says why.
/// `for_report`: there may be no panel at all. Throws InputError where no panel, or not the one
/// that is asked for, can be drawn.
nlohmann::ordered_json panel_document(StoreContents const& contents, StoredPanels const& experiment,
                                      std::string const& name, std::optional<int> only = {},
                                      bool for_report = false);

/// The instance of a cell to run again for a policy: that with the largest ratio, or the path with
/// the largest mean latency; none where no run has one.
std::optional<std::int64_t> worst_instance(CellResult const& cell, std::size_t policy,
                                           BaselineKind baseline);

/// {"alpha": 0.1}
nlohmann::ordered_json coordinates_json(CellResult const& cell);

} // namespace crx
