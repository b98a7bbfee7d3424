#pragma once

#include "host/input/config_value.hh"

#include <optional>
#include <string>
#include <vector>

namespace crx {

class Command;

/// Options that make one panel on the command line, by the names of its fields (docs/plots.md).
struct PanelOptions
{
    std::string x, y, series, sweep, baseline, worst_over;
    std::vector<std::string> where;
    bool log_x = false, log_y = false;

    /// Whether any of them is given.
    bool any() const;
    /// The [[panel]] table that they stand for. Throws InputError without --x, and for a --where
    /// that is not AXIS=NUMBER.
    ConfigValue table() const;
};

/// Declares them; `options` must outlive the command.
void add_panel_options(Command const& command, PanelOptions& options);

} // namespace crx
