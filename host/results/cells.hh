#pragma once

#include "host/results/results.hh"

#include <algorithm>
#include <cmath>

namespace crx {

using Cells = std::vector<CellResult const*>;

/// A cell's number by name: the value on an axis, else a parameter.
inline std::optional<double> value_of(CellResult const& cell, std::string const& name)
{
    for (auto const& [axis, value] : cell.coordinates)
        if (axis == name) return value;
    auto const found = cell.parameters.find(name);
    return found == cell.parameters.end() ? std::nullopt : std::optional(found->second);
}

/// Runs of a policy that never end; paths always do.
inline std::int64_t unfinished_of(CellResult const& cell, std::size_t policy)
{
    return cell.paths != nullptr ? 0 : cell.tally.at(policy).sums.unfinished;
}

/// Whether two values are one place on an axis: equal but for rounding.
inline bool same_value(double a, double b)
{
    return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

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

} // namespace crx
