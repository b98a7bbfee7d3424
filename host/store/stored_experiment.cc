#include "host/store/stored_experiment.hh"

#include "host/error.hh"
#include "host/store/identity_difference.hh"
#include "host/store/results.hh"

#include <algorithm>

namespace crx {

namespace {

Experiment parse(std::filesystem::path const& store, StoreHeader const& header)
{
    return Experiment::parse(header.text, store.string() + ":experiment", header.folder,
                             header.overrides);
}

} // namespace

Experiment read_stored_experiment(std::filesystem::path const& store)
{
    return parse(store, read_store_header(store));
}

StoredWork read_stored_cell(std::filesystem::path const& store, std::int64_t index)
{
    auto const contents = read_store(store);
    auto const found = std::find_if(contents.cells.begin(), contents.cells.end(),
                                    [&](CellResult const& cell) { return cell.index == index; });
    if (found == contents.cells.end())
        throw InputError(store.string() + ": there is no cell " + std::to_string(index) +
                         "; its cells are 0 .. " + std::to_string(contents.cells.size() - 1) +
                         " (column cell of crx export)");
    StoredWork work{parse(store, contents.header), {}};
    work.cell = work.experiment.make_cell(found->sweep, found->coordinates);
    auto const difference = describe_difference(found->identity, work.cell.identity);
    if (!difference.empty())
        throw InputError(store.string() + ": cell " + std::to_string(index) +
                         " is not what it was when it was run\n" + difference);
    return work;
}

} // namespace crx
