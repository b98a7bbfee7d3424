#pragma once

#include "host/input/config_value.hh"
#include "host/results/stored_panels.hh"

#include <optional>
#include <string>
#include <vector>

namespace crx {

class Command;

/// Options that choose panels, or make one by the names of its fields (docs/plots.md).
struct PanelOptions
{
    std::string kind, x, along, y, series, sweep, baseline, worst_over;
    std::vector<std::string> where, policies;
    std::filesystem::path panels; ///< a file of them
    bool log_x = false, log_y = false;

    /// Whether any of them is given.
    bool any() const;
    /// The [[panel]] table that they stand for. Throws InputError without --x, and for a --where
    /// that is not AXIS=NUMBER.
    ConfigValue table() const;
};

/// The panels that they choose of a store's experiment, of a file or of their own; `only` is the
/// number of the one that is shown, and stays so. Throws InputError.
StoredPanels chosen_panels(StoreContents const& contents, std::string const& name,
                           PanelOptions const& options, std::optional<int>& only);

/// Declares them; `options` must outlive the command.
void add_panel_options(Command const& command, PanelOptions& options);

} // namespace crx
