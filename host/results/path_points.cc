#include "host/results/path_points.hh"

#include <algorithm>
#include <fmt/core.h>

namespace crx {

namespace {

/// The cell without what only the whole of it has: its identity and engines.
CellResult point_of(CellResult const& cell, std::size_t horizon)
{
    CellResult point;
    point.index = cell.index;
    point.sweep = cell.sweep;
    point.coordinates = cell.coordinates;
    point.coordinates.emplace_back("horizon",
                                   static_cast<double>(cell.facts->horizons[horizon]) * 1e-9);
    point.parameters = cell.parameters;
    point.left_out = cell.left_out;
    point.instances = cell.instances;
    point.paths = cell.paths;
    point.measures = cell.measures;
    point.facts = cell.facts;
    point.horizon = horizon;
    return point;
}

void split(CellResult const& cell, std::vector<CellResult>& out)
{
    for (std::size_t c = 0; c < cell.facts->horizons.size(); ++c) {
        out.push_back(point_of(cell, c));
        if (!cell.facts->by_type) continue;
        for (std::size_t j = 0; j < cell.facts->types.size(); ++j) {
            out.push_back(point_of(cell, c));
            out.back().coordinates.emplace_back("type", static_cast<double>(j));
            out.back().type = static_cast<std::int64_t>(j);
        }
    }
}

} // namespace

StoreContents with_horizons(StoreContents contents)
{
    if (contents.header.model != Model::iterations) return contents;
    std::vector<CellResult> cells;
    for (auto const& cell : contents.cells) split(cell, cells);
    contents.cells = std::move(cells);
    return contents;
}

fluid::Paths tallies_of(CellResult const& cell, std::size_t policy)
{
    fluid::Paths tallies;
    for (auto const& path : cell.paths->at(policy)) tallies.push_back(path.tallies);
    return tallies;
}

fluid::HorizonPoint horizon_point(CellResult const& cell, std::size_t policy, double confidence)
{
    fluid::Paths tallies;
    for (auto const& path : cell.paths->at(policy)) tallies.push_back({path.tallies[cell.horizon]});
    return fluid::horizon_point(tallies, 0, confidence);
}

fluid::TypePoint type_point(CellResult const& cell, std::size_t policy, double confidence)
{
    std::vector<TypeTally> tallies;
    Nanoseconds until = 0;
    for (auto const& path : cell.paths->at(policy)) {
        tallies.push_back(path.types[cell.horizon][static_cast<std::size_t>(cell.type)]);
        until = path.tallies[cell.horizon].until;
    }
    return fluid::type_point(tallies, until, confidence);
}

std::optional<Tokens> capacity_of(CellResult const& cell, std::size_t policy)
{
    auto const memory = cell.facts->capacity.at(policy);
    return memory > 0 ? std::optional(memory) : std::nullopt;
}

MemoryHeld memory_held(StoreContents const& contents)
{
    std::vector<Tokens> most(contents.header.policies.size());
    for (auto const& cell : contents.cells)
        for (std::size_t k = 0; cell.paths != nullptr && k < cell.paths->size(); ++k)
            for (auto const& path : cell.paths->at(k))
                most[k] = std::max(most[k], path.tallies.back().peak_memory);
    MemoryHeld held;
    if (most.empty() || std::ranges::find(most, 0) != most.end()) return held;
    for (std::size_t k = 0; k < most.size(); ++k) {
        held.text +=
            fmt::format("{}{} {}", k == 0 ? "" : "; ", contents.header.policies[k].label, most[k]);
        held.differs = held.differs || most[k] != most.front();
    }
    held.text += " tokens";
    return held;
}

PromptType prompt_type_of(CellResult const& cell, std::int64_t type)
{
    return cell.facts->types.at(static_cast<std::size_t>(type));
}

} // namespace crx
