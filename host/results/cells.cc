#include "host/results/cells.hh"

#include "host/error.hh"

#include <fmt/format.h>

namespace crx {

namespace {

bool passes(CellResult const& cell, std::string const& name, double wanted)
{
    auto const value = value_of(cell, name);
    return value && same_value(*value, wanted);
}

Cells finished_of_sweep(std::vector<CellResult> const& cells, std::string const& sweep,
                        std::string const& place)
{
    Cells found;
    bool known = false;
    for (auto const& cell : cells) {
        known |= cell.sweep == sweep;
        if (cell.sweep == sweep && cell.instances > 0) found.push_back(&cell);
    }
    if (!found.empty()) return found;
    throw InputError(fmt::format("{}: sweep \"{}\" has no {} in this store\n"
                                 "  run the same crx sweep again to go on with it",
                                 place, sweep, known ? "finished cells" : "cells"));
}

} // namespace

bool only_waits(std::vector<CellResult> const& cells, Panel const& panel)
{
    bool waits = false;
    for (auto const& cell : cells) {
        bool shown = cell.sweep == panel.sweep;
        for (auto const& [name, wanted] : panel.where) shown = shown && passes(cell, name, wanted);
        if (shown && cell.instances > 0) return false;
        waits |= shown;
    }
    return waits;
}

std::string list_values(std::vector<double> const& values)
{
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values.size() > most && i >= most / 2 && i < values.size() - most / 2) {
            if (i == most / 2) text += ", ..";
            continue;
        }
        text += fmt::format("{}{:.10g}", i == 0 ? "" : ", ", values[i]);
    }
    return text;
}

std::vector<double> values_among(Cells const& cells, std::string const& name,
                                 std::string const& place)
{
    std::vector<double> values;
    for (auto const* cell : cells) {
        auto const value = value_of(*cell, name);
        if (!value)
            throw InputError(fmt::format("{}: sweep \"{}\" has no axis or parameter \"{}\"", place,
                                         cell->sweep, name));
        values.push_back(*value);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end(), same_value), values.end());
    return values;
}

Cells choose_cells(std::vector<CellResult> const& cells, Panel const& panel,
                   std::string const& place)
{
    Cells chosen = finished_of_sweep(cells, panel.sweep, place);
    for (auto const& [name, wanted] : panel.where) {
        auto const before = chosen;
        std::erase_if(chosen, [&, &axis = name, at = wanted](CellResult const* cell) {
            return !passes(*cell, axis, at);
        });
        if (chosen.empty())
            throw InputError(fmt::format(
                "{}: no finished cell has {} = {:.10g}\n  values of {}{}: {}", place, name, wanted,
                name, panel.where.size() > 1 ? " at the other filters" : "",
                list_values(values_among(before, name, place))));
    }
    return chosen;
}

} // namespace crx
