#include "host/iteration/path_points.hh"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

using Json = nlohmann::json;

/// Any path of the cell; null where there is none.
PathRecord const* some_path(CellResult const& cell)
{
    if (cell.paths == nullptr || cell.paths->empty() || cell.paths->front().empty()) return nullptr;
    return &cell.paths->front().front();
}

void split(CellResult const& cell, std::vector<CellResult>& out)
{
    auto const* path = some_path(cell);
    if (path == nullptr) return out.push_back(cell);
    for (std::size_t c = 0; c < path->tallies.size(); ++c) {
        auto point = cell;
        point.horizon = c;
        point.coordinates.emplace_back("horizon",
                                       static_cast<double>(path->tallies[c].until) * 1e-9);
        out.push_back(point);
        if (path->types.empty()) continue;
        point.coordinates.emplace_back("type", 0);
        for (std::size_t j = 0; j < path->types[c].size(); ++j) {
            point.type = static_cast<std::int64_t>(j);
            point.coordinates.back().second = static_cast<double>(j);
            out.push_back(point);
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
    auto const memory =
        Json::parse(cell.identity).at("policies").at(policy).at("memory").get<Tokens>();
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
    auto const lengths =
        Json::parse(cell.identity).at("workload").at("types").at(static_cast<std::size_t>(type));
    return {lengths.at(0).get<Tokens>(), lengths.at(1).get<Tokens>()};
}

} // namespace crx
