#include "host/results/results.hh"

#include "host/store/open_store.hh"
#include "host/store/tables/integrity.hh"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace crx {

namespace {

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

/// A cell's sums while its chunks are read.
struct CellSums
{
    explicit CellSums(std::size_t policies)
        : instances(policies), tally(policies), engines(policies), paths(policies)
    {
    }

    void add(ChunkRow const& chunk, ChunkSums&& sums)
    {
        for (std::size_t p = 0; p < tally.size(); ++p) {
            if (sums.holdings->sums(p)) instances[p] += chunk.count;
            tally[p].add(sums.tally[p]);
            if (!sums.engines[p].empty()) engines[p].insert(sums.engines[p]);
            std::move(sums.paths[p].begin(), sums.paths[p].end(), std::back_inserter(paths[p]));
        }
    }

    std::vector<std::int64_t> instances; ///< that each policy has run
    Tally tally;
    std::vector<std::set<std::string>> engines;
    PathSums paths;
};

CellResult result_of(StoredCell const& cell, CellSums&& sums, Model model)
{
    CellResult result{cell};
    result.instances = *std::ranges::max_element(sums.instances);
    for (auto const& names : sums.engines) {
        auto& text = result.engines.emplace_back();
        for (auto const& name : names) text += (text.empty() ? "" : ", ") + name;
    }
    if (model == Model::rounds) {
        result.tally = std::move(sums.tally);
        return result;
    }
    result.facts = std::make_shared<PathFacts const>(path_facts(result.identity));
    if (result.facts->capacity.size() != sums.paths.size())
        throw std::invalid_argument("a cell with other policies");
    result.paths = std::make_shared<PathSums const>(std::move(sums.paths));
    return result;
}

std::vector<StoredRun> read_runs(Database const& database)
{
    std::vector<StoredRun> runs;
    auto row = database.prepare("SELECT started, version, commit_id, build_type, backend, device, "
                                "milliseconds FROM runs ORDER BY run");
    while (row.step())
        runs.push_back({row.text(0), row.text(1), row.text(2), row.text(3), row.text(4),
                        row.text(5), 1e-3 * static_cast<double>(row.integer(6))});
    return runs;
}

StoreContents read_all(Database const& database)
{
    std::map<std::int64_t, CellSums> sums; // by cell
    auto const parts = inspect(database, [&](ChunkRow const& chunk, ChunkSums&& of_chunk) {
        auto const policies = of_chunk.tally.size();
        sums.try_emplace(chunk.cell, policies).first->second.add(chunk, std::move(of_chunk));
    });
    if (!parts.damage.empty()) throw DamagedStore(parts.damage);
    StoreContents contents{*parts.header, {}, {}};
    std::map<std::int64_t, std::vector<std::string>> commits; // by cell
    auto rows =
        database.prepare("SELECT DISTINCT cell, commit_id FROM chunks JOIN runs USING (run) "
                         "ORDER BY cell, commit_id");
    while (rows.step()) commits[rows.integer(0)].push_back(rows.text(1));
    contents.runs = read_runs(database);
    auto const order = sweep_order(parts.cells);
    for (auto const& cell : parts.cells) {
        if (cell.index < 0) continue; // put aside
        auto const found = sums.try_emplace(cell.index, contents.header.policies.size()).first;
        contents.cells.push_back(result_of(cell, std::move(found->second), contents.header.model));
        contents.cells.back().commits = commits[cell.index];
    }
    std::stable_sort(contents.cells.begin(), contents.cells.end(),
                     [&](CellResult const& a, CellResult const& b) {
                         if (a.sweep != b.sweep) return order.at(a.sweep) < order.at(b.sweep);
                         return before(a.coordinates, b.coordinates);
                     });
    return contents;
}

} // namespace

StoreContents read_store(std::filesystem::path const& file)
{
    StoreContents contents;
    with_store(file, [&](Database const& database) { contents = read_all(database); });
    return contents;
}

} // namespace crx
