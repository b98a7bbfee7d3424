#include "host/results/stored_experiment.hh"

#include "host/error.hh"
#include "host/experiment/experiment_text.hh"
#include "host/results/results.hh"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace crx {

namespace {

using Json = nlohmann::json;
constexpr std::size_t most_lines = 8;
constexpr std::size_t most_characters = 60;

std::string shown(Json const* value)
{
    if (value == nullptr) return "absent";
    auto text = value->dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > most_characters) text = text.substr(0, most_characters) + "..";
    return text;
}

void compare(std::string const& key, Json const* there, Json const* here,
             std::vector<std::string>& lines)
{
    bool const both = there != nullptr && here != nullptr;
    if (both && *there == *here) return;
    if (both && there->is_object() && here->is_object()) {
        std::string const prefix = key.empty() ? "" : key + ".";
        for (auto const& [name, value] : there->items())
            compare(prefix + name, &value, here->contains(name) ? &(*here)[name] : nullptr, lines);
        for (auto const& [name, value] : here->items())
            if (!there->contains(name)) compare(prefix + name, nullptr, &value, lines);
        return;
    }
    if (both && there->is_array() && here->is_array() && there->size() == here->size()) {
        for (std::size_t i = 0; i < there->size(); ++i)
            compare(key + "[" + std::to_string(i) + "]", &(*there)[i], &(*here)[i], lines);
        return;
    }
    lines.push_back("  " + (key.empty() ? "identity" : key) + ": " + shown(there) + " there, " +
                    shown(here) + " here");
}

Json parse(std::string const& text)
{
    auto value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? Json(text) : value;
}

} // namespace

std::string describe_difference(std::string const& there, std::string const& here)
{
    std::vector<std::string> lines;
    Json const one = parse(there), other = parse(here);
    compare("", &one, &other, lines);
    std::string text;
    for (std::size_t i = 0; i < lines.size() && i < most_lines; ++i)
        text += (i == 0 ? "" : "\n") + lines[i];
    if (lines.size() > most_lines)
        text += "\n  and " + std::to_string(lines.size() - most_lines) + " more";
    return text;
}

namespace {

Experiment parse(std::filesystem::path const& store, StoreHeader const& header)
{
    return Experiment::parse(header.text, store.string() + ":experiment", header.folder,
                             header.overrides);
}

/// Adds the file of every source of a trace in a document, wherever a sweep may set it.
void add_traces(ConfigValue const& value, std::filesystem::path const& folder,
                std::vector<std::filesystem::path>& traces)
{
    for (auto const& element : value.list) add_traces(element, folder, traces);
    for (auto const& [key, element] : value.table) {
        add_traces(element, folder, traces);
        if (key == "file" && element.kind == ConfigValue::Kind::text)
            traces.push_back((folder / element.text).lexically_normal());
    }
}

std::vector<std::filesystem::path> traces_of(std::filesystem::path const& store,
                                             StoreHeader const& header)
{
    auto const document =
        parse_overridden(header.text, store.string() + ":experiment", header.overrides);
    std::vector<std::filesystem::path> traces;
    add_traces(document, header.folder, traces);
    return traces;
}

} // namespace

StoredWork read_stored_cell(std::filesystem::path const& store, std::int64_t index,
                            OwnOrders const& own)
{
    auto const contents = read_store(store);
    auto const found = std::find_if(contents.cells.begin(), contents.cells.end(),
                                    [&](CellResult const& cell) { return cell.index == index; });
    if (found == contents.cells.end())
        throw InputError(store.string() + ": there is no cell " + std::to_string(index) +
                         "; its cells are 0 .. " + std::to_string(contents.cells.size() - 1) +
                         " (column cell of crx export)");
    StoredWork work{
        with_own_orders(parse(store, contents.header), own), {}, traces_of(store, contents.header)};
    work.cell = work.experiment.make_cell(found->sweep, found->coordinates);
    auto const difference = describe_difference(found->identity, work.cell.identity);
    if (!difference.empty())
        throw InputError(store.string() + ": cell " + std::to_string(index) +
                         " is not what it was when it was run\n" + difference);
    return work;
}

} // namespace crx
