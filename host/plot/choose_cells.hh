#pragma once

#include "host/plot/cell_values.hh"

namespace crx {

using Cells = std::vector<CellResult const*>;

/// The cells that a panel shows: those of its sweep with instances, at the values of its `where`.
/// Throws InputError beginning with `place` if there is none; it names the filter and the values
/// that exist.
Cells choose_cells(std::vector<CellResult> const& cells, Panel const& panel,
                   std::string const& place);

/// Whether cells of the panel are there, but none of them has an instance yet.
bool only_waits(std::vector<CellResult> const& cells, Panel const& panel);

/// Different values of a name among cells, ascending. Throws InputError beginning with `place` if a
/// cell has no such number.
std::vector<double> values_among(Cells const& cells, std::string const& name,
                                 std::string const& place);

/// Numbers in a message: "0.1, 0.2, 0.5", a long list cut in the middle.
std::string list_values(std::vector<double> const& values);

} // namespace crx
