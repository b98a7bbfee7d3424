#include "host/shards/store_state.hh"

#include "host/error.hh"
#include "host/store/open_store.hh"
#include "host/store/shard_record.hh"
#include "host/store/tables/integrity.hh"

namespace crx {

namespace {

/// Sums and ranges of each cell, by its index, while chunks are read.
struct Collected
{
    std::vector<HeldRange> chunks;
    Tally tally;
    PathSums paths;

    void add(ChunkSums&& sums)
    {
        tally.resize(sums.tally.size());
        paths.resize(sums.paths.size());
        for (std::size_t p = 0; p < tally.size(); ++p) tally[p].add(sums.tally[p]);
        for (std::size_t p = 0; p < paths.size(); ++p)
            paths[p].insert(paths[p].end(), sums.paths[p].begin(), sums.paths[p].end());
    }
};

StoreState state_of(Database const& database)
{
    std::map<std::int64_t, Collected> sums;
    std::set<Holdings> kinds; // those of the reader end with it
    auto parts = inspect(database, [&](ChunkRow const& chunk, ChunkSums&& of_chunk) {
        auto& cell = sums[chunk.cell];
        auto const* const holdings = &*kinds.insert(*of_chunk.holdings).first;
        cell.chunks.push_back({{chunk.first, chunk.count}, holdings});
        cell.add(std::move(of_chunk));
    });
    if (!parts.damage.empty()) throw DamagedStore(parts.damage);
    StoreState state{*parts.header, {}};
    for (auto const& cell : parts.cells) {
        auto& collected = sums[cell.index];
        collected.tally.resize(state.header.policies.size());
        collected.paths.resize(state.header.policies.size());
        state.cells.emplace(StoreState::Key{cell.sweep, coordinates_text(cell.coordinates)},
                            CellState{cell, coverage_of(collected.chunks),
                                      std::move(collected.tally), std::move(collected.paths)});
    }
    return state;
}

} // namespace

StoreState read_store_state(std::filesystem::path const& file)
{
    StoreState state;
    with_store(file, [&](Database const& database) { state = state_of(database); });
    if (!state.header.shard.empty())
        throw InputError(file.string() + ": holds " + shard_name(state.header.shard) +
                         " alone\n  crx merge joins it with the others");
    return state;
}

} // namespace crx
