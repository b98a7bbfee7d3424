#include "host/results/capacity.hh"

#include "host/input/accepted.hh"
#include "host/results/request_measures.hh"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

/// Cells along the axis by its value.
using LoadLine = std::map<double, CellResult const*>;

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

std::string text_of(CapacityTable const& table, StoreHeader const& header, double confidence)
{
    std::size_t width = 6;
    for (auto const& policy : header.policies) width = std::max(width, policy.label.size());
    auto text =
        fmt::format("capacity in {}, {} of requests within the objective, sweep {}\n", table.axis,
                    written_number(table.share), point_text(table.sweep, table.others));
    text += fmt::format("  {:<{}}  {:>11}  {:>10}  {}\n", "policy", width, "holds up to",
                        "fails from", fmt::format("{:g} % interval", 100 * confidence));
    for (std::size_t p = 0; p < header.policies.size(); ++p) {
        auto const& found = table.policies[p];
        text += fmt::format("  {:<{}}  {:>11}  {:>10}  {} to {}\n", header.policies[p].label, width,
                            shown(found.holds, "none"), shown(found.fails, "none"),
                            shown(found.surely_holds, "?"), shown(found.surely_fails, "?"));
    }
    return text;
}

} // namespace

std::vector<CapacityTable> capacity_tables(StoreContents const& contents, CapacityPlan const& plan,
                                           double confidence)
{
    std::map<std::pair<std::string, Coordinates>, LoadLine> lines; // by sweep, other coordinates
    std::vector<std::pair<std::string, Coordinates>> order;
    for (auto const& cell : contents.cells)
        for (auto const& at : cell.coordinates) {
            if (at.first != plan.axis) continue;
            auto others = cell.coordinates;
            std::erase_if(others, [&](auto const& other) { return other.first == plan.axis; });
            std::pair const place(cell.sweep, others);
            if (!lines.contains(place)) order.push_back(place);
            lines[place][at.second] = &cell;
        }
    std::vector<CapacityTable> tables;
    for (auto const& place : order) {
        CapacityTable table{place.first, plan.axis, place.second, plan.share, {}};
        for (std::size_t p = 0; p < contents.header.policies.size(); ++p)
            table.policies.push_back(capacity_of(lines[place], p, plan.share, confidence));
        tables.push_back(std::move(table));
    }
    return tables;
}

std::string capacity_text(StoreContents const& contents, std::vector<CapacityTable> const& tables,
                          double confidence)
{
    std::string text;
    for (auto const& table : tables) text += text_of(table, contents.header, confidence);
    return text;
}

nlohmann::ordered_json capacity_json(StoreContents const& contents,
                                     std::vector<CapacityTable> const& tables, double confidence)
{
    auto const maybe = [](std::optional<double> const& value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    };
    auto all = nlohmann::ordered_json::array();
    for (auto const& table : tables) {
        nlohmann::ordered_json object{{"sweep", table.sweep},
                                      {"over", table.axis},
                                      {"coordinates", nlohmann::ordered_json::object()},
                                      {"share", table.share},
                                      {"confidence", confidence},
                                      {"policies", nlohmann::ordered_json::array()}};
        for (auto const& [axis, value] : table.others) object["coordinates"][axis] = value;
        for (std::size_t p = 0; p < table.policies.size(); ++p)
            object["policies"].push_back(
                {{"policy", contents.header.policies[p].label},
                 {"holds_up_to", maybe(table.policies[p].holds)},
                 {"fails_from", maybe(table.policies[p].fails)},
                 {"surely_holds_up_to", maybe(table.policies[p].surely_holds)},
                 {"surely_fails_from", maybe(table.policies[p].surely_fails)}});
        all.push_back(std::move(object));
    }
    return all;
}

} // namespace crx
