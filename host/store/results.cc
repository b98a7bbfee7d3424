#include "host/store/results.hh"

#include "host/store/path_rows.hh"
#include "host/store/schema.hh"
#include "host/store/store_error.hh"
#include "host/store/tally_rows.hh"

#include <algorithm>

namespace crx {

namespace {

/// Opens a store for reading and hands it to `use`; every failure becomes one for the user.
template <class Use>
auto with_store(std::filesystem::path const& file, Use use)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        throw InputError(file.string() + ": there is no such file");
    if (std::filesystem::is_directory(file, ignored))
        throw InputError(file.string() + ": is a folder, not a store of crx");
    try {
        Database const database(file, Access::read);
        Transaction const view(database, Transaction::Kind::read);
        auto const kind = kind_of(database);
        if (kind == FileKind::newer)
            throw InputError(file.string() + ": made by a later version of crx\n  use that one");
        if (kind == FileKind::older)
            throw InputError(file.string() + ": made by an earlier version of crx, with other " +
                             "tables\n  use that one, or sweep again into another file");
        if (kind == FileKind::paths)
            throw InputError(file.string() + ": made by crx iterate of an earlier version\n  crx " +
                             "sweep EXPERIMENT runs such experiments now");
        if (kind != FileKind::store)
            throw InputError(file.string() + ": not a store of crx\n  crx sweep makes one");
        return use(database);
    } catch (DatabaseError const& error) {
        fail_to_open(file, error);
    } catch (InputError const&) {
        throw;
    } catch (std::exception const& error) {
        throw InputError(file.string() + ": the store is damaged (" + error.what() + ")");
    }
}

/// Number of each sweep in plan order: the grids were entered sweep by sweep.
std::map<std::string, std::size_t> sweep_order(std::vector<StoredCell> const& by_index)
{
    std::map<std::string, std::size_t> order;
    for (auto const& cell : by_index) order.try_emplace(cell.sweep, order.size());
    return order;
}

bool before(Coordinates const& one, Coordinates const& other)
{
    return std::lexicographical_compare(
        one.begin(), one.end(), other.begin(), other.end(),
        [](auto const& a, auto const& b) { return a.second < b.second; });
}

StoreContents read_all(Database const& database)
{
    StoreContents contents;
    contents.header = read_header(database);
    auto const policies = contents.header.policies.size();
    auto tallies = read_tallies(database, policies);
    auto paths = read_all_paths(database, policies);
    auto engines = read_engines(database, policies);
    std::map<std::int64_t, std::int64_t> instances;
    auto row = database.prepare("SELECT cell, sum(count) FROM chunks GROUP BY cell");
    while (row.step()) instances[row.integer(0)] = row.integer(1);
    auto cells = read_cells(database);
    auto const order = sweep_order(cells);
    for (auto& cell : cells) {
        engines[cell.index].resize(policies);
        auto& result = contents.cells.emplace_back();
        result.index = cell.index;
        result.sweep = std::move(cell.sweep);
        result.coordinates = std::move(cell.coordinates);
        result.parameters = std::move(cell.parameters);
        result.identity = std::move(cell.identity);
        result.left_out = std::move(cell.left_out);
        result.instances = instances[cell.index];
        result.engines = std::move(engines[cell.index]);
        if (contents.header.model == Model::iterations) {
            result.facts = std::make_shared<PathFacts const>(path_facts(result.identity));
            result.paths = std::make_shared<PathSums const>(
                std::move(paths.try_emplace(cell.index, policies).first->second));
            if (result.facts->capacity.size() != policies)
                throw std::invalid_argument("a cell with other policies");
        } else {
            result.tally = std::move(tallies.try_emplace(cell.index, policies).first->second);
        }
    }
    std::stable_sort(contents.cells.begin(), contents.cells.end(),
                     [&](CellResult const& a, CellResult const& b) {
                         if (a.sweep != b.sweep) return order.at(a.sweep) < order.at(b.sweep);
                         return before(a.coordinates, b.coordinates);
                     });
    return contents;
}

} // namespace

StoreContents read_store(std::filesystem::path const& file) { return with_store(file, read_all); }

StoreHeader read_store_header(std::filesystem::path const& file)
{
    return with_store(file, read_header);
}

} // namespace crx
