#include "host/results/stored_experiment.hh"

#include "host/error.hh"
#include "host/experiment/experiment_text.hh"
#include "host/results/results.hh"
#include "host/store/identity_difference.hh"

#include <algorithm>

namespace crx {

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
