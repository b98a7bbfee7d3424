#include "host/results/capacity.hh"

#include "host/input/accepted.hh"
#include "host/results/request_measures.hh"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace crx {

namespace {

/// Cells along the axis by its value.
using LoadLine = std::map<double, CellResult const*>;

/// What of a line is known of one policy; nothing: it is beyond the line's values.
struct Capacity
{
    std::optional<double> holds, fails;               ///< by the shares that were measured
    std::optional<double> surely_holds, surely_fails; ///< by their intervals
};

Capacity capacity_of(LoadLine const& line, std::size_t policy, double share, double confidence)
{
    auto const attainment = *request_statistic_named("attainment");
    auto const each = 1 - (1 - confidence) / static_cast<double>(line.size());
    Capacity found;
    for (auto const& [value, cell] : line) {
        auto const measured = measure_requests(*cell, policy, attainment, each);
        if (!measured) continue;
        if (!found.fails && measured->value >= share) {
            found.holds = value;
            if (measured->low && *measured->low >= share) found.surely_holds = value;
        }
        if (!found.fails && measured->value < share) found.fails = value;
        if (!found.surely_fails && measured->high && *measured->high < share)
            found.surely_fails = value;
    }
    return found;
}

std::string shown(std::optional<double> const& value, char const* otherwise)
{
    return value ? fmt::format("{:.6g}", *value) : otherwise;
}

std::string table_of(LoadLine const& line, StoreHeader const& header, double share,
                     double confidence)
{
    std::size_t width = 6;
    for (auto const& policy : header.policies) width = std::max(width, policy.label.size());
    auto text = fmt::format("  {:<{}}  {:>11}  {:>10}  {}\n", "policy", width, "holds up to",
                            "fails from", fmt::format("{:g} % interval", 100 * confidence));
    for (std::size_t p = 0; p < header.policies.size(); ++p) {
        auto const found = capacity_of(line, p, share, confidence);
        text += fmt::format("  {:<{}}  {:>11}  {:>10}  {} to {}\n", header.policies[p].label, width,
                            shown(found.holds, "none"), shown(found.fails, "none"),
                            shown(found.surely_holds, "?"), shown(found.surely_fails, "?"));
    }
    return text;
}

} // namespace

std::string capacity_text(StoreContents const& contents, std::vector<Sweep> const& sweeps,
                          double confidence)
{
    std::string text;
    for (auto const& sweep : sweeps) {
        if (!sweep.refinement || !sweep.refinement->is_capacity()) continue;
        auto const& [axis, rounds, baseline, share] = *sweep.refinement;
        std::map<Coordinates, LoadLine> lines; // by the other coordinates
        for (auto const& cell : contents.cells) {
            if (cell.sweep != sweep.name) continue;
            auto others = cell.coordinates;
            std::erase_if(others, [&](auto const& at) { return at.first == axis; });
            for (auto const& at : cell.coordinates)
                if (at.first == axis) lines[others][at.second] = &cell;
        }
        for (auto const& [others, line] : lines)
            text += fmt::format("capacity in {}, {} of requests within the objective, sweep {}\n{}",
                                axis, written_number(share), point_text(sweep.name, others),
                                table_of(line, contents.header, share, confidence));
    }
    return text;
}

} // namespace crx
